/** Ids that this browser created or opened, for a gateway that cannot list them. Only ids are stored. */

export type RememberedKind = "prediction" | "upload";

/** Most ids of each kind, newest first. */
const maxKept = 100;

const keyOf = (kind: RememberedKind) => `gatehouse-remembered-${kind}s`;

/** The remembered ids, newest first. Empty if the browser stores nothing. */
export function rememberedIds(kind: RememberedKind): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(kind)) ?? "[]");
    return Array.isArray(kept) ? kept.filter((id) => typeof id === "string") : [];
  } catch {
    return [];
  }
}

/** Puts an id first in the list. */
export function rememberId(kind: RememberedKind, id: string): void {
  write(kind, [id, ...rememberedIds(kind).filter((kept) => kept !== id)].slice(0, maxKept));
}

/** Removes an id from the list, for example after its deletion or a 404. */
export function forgetId(kind: RememberedKind, id: string): void {
  const kept = rememberedIds(kind);
  if (kept.includes(id))
    write(
      kind,
      kept.filter((other) => other !== id),
    );
}

function write(kind: RememberedKind, ids: string[]): void {
  try {
    localStorage.setItem(keyOf(kind), JSON.stringify(ids));
  } catch {
    // Storage may be full or forbidden; the list is a convenience.
  }
}
