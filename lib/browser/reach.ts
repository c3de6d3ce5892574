/**
 * Whether the last request of this page reached the gateway, or else what it could not reach: console or
 * gateway.
 */
export type Reach = "reached" | "no-gateway" | "no-console";

let reach: Reach = "reached";
const listeners = new Set<() => void>();

export function currentReach(): Reach {
  return reach;
}

/** Calls `listener` on each change. Returns a function that unsubscribes. */
export function onReach(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Records whether a request reached the gateway. `code` is the code of its failure, or null. */
export function recordReach(code: string | null): void {
  const next = code === "gateway_unreachable" ? "no-gateway" : code === "offline" ? "no-console" : "reached";
  if (next === reach) return;
  reach = next;
  for (const listener of [...listeners]) listener();
}
