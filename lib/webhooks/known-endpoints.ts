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
