/** The rows that are ticked, and the way to change them. */
export interface RowSelection {
  ids: ReadonlySet<string>;
  set: (ids: ReadonlySet<string>) => void;
}

/** The ids of `rows` from one to the other, whichever comes first; only `to` when `from` is not among them. */
export function idsBetween(rows: { id: string }[], from: string, to: string): string[] {
  const start = rows.findIndex(({ id }) => id === from);
  const end = rows.findIndex(({ id }) => id === to);
  if (start === -1 || end === -1) return [to];
  return rows.slice(Math.min(start, end), Math.max(start, end) + 1).map(({ id }) => id);
}
