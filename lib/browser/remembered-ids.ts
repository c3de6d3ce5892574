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

/** Endpoints that this browser created, for a gateway that cannot list them. Never contains the secret. */
export interface KnownEndpoint {
  id: string;
  url: string;
  secretHint: string;
  createdAt: string;
}

const storageKey = "gatehouse.known-endpoints";

const maxEndpointsKept = 100;

export function readKnownEndpoints(storage: Pick<Storage, "getItem">): KnownEndpoint[] {
  try {
    const kept: unknown = JSON.parse(storage.getItem(storageKey) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isKnownEndpoint) : [];
  } catch {
    return [];
  }
}

/** Adds or replaces an endpoint. Stores only the named fields, whatever else the caller's object contains. */
export function keepEndpoint(storage: Pick<Storage, "getItem" | "setItem">, endpoint: KnownEndpoint): void {
  const { id, url, secretHint, createdAt } = endpoint;
  const others = readKnownEndpoints(storage).filter((each) => each.id !== id);
  const kept = [{ id, url, secretHint, createdAt }, ...others].slice(0, maxEndpointsKept);
  try {
    storage.setItem(storageKey, JSON.stringify(kept));
  } catch {
    // Full or forbidden storage loses a convenience, not the endpoint.
  }
}

export function forgetEndpoint(storage: Pick<Storage, "getItem" | "setItem">, id: string): void {
  const kept = readKnownEndpoints(storage).filter((each) => each.id !== id);
  try {
    storage.setItem(storageKey, JSON.stringify(kept));
  } catch {
    // As above.
  }
}

function isKnownEndpoint(value: unknown): value is KnownEndpoint {
  const each = value as Partial<KnownEndpoint> | null;
  return typeof each?.id === "string" && typeof each.url === "string" && typeof each.secretHint === "string";
}
