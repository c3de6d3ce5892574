/** Whether the last request of this page got to the gateway, and if not, what could not be reached. */
export type Reach = "reached" | "no-gateway" | "no-console";

let reach: Reach = "reached";
const listeners = new Set<() => void>();

export function currentReach(): Reach {
  return reach;
}

/** Calls `listener` at each change, until the returned function is called. */
export function onReach(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Notes how far a request got; `code` is that of its failure, null for none. */
export function tellReach(code: string | null): void {
  const next = code === "gateway_unreachable" ? "no-gateway" : code === "offline" ? "no-console" : "reached";
  if (next === reach) return;
  reach = next;
  for (const listener of [...listeners]) listener();
}
