/** The rows that are ticked, and the way to change them. */
export interface RowSelection {
  ids: ReadonlySet<string>;
  set: (ids: ReadonlySet<string>) => void;
}
