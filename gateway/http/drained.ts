import type { ServerResponse } from "node:http";

/**
 * Waits until the client has read what was written. False when it has gone, when the signal aborts, or when it read
 * nothing at all for `idleMs`; whoever writes to the connection meanwhile prolongs that.
 */
export function drained(
  raw: ServerResponse,
  { idleMs, signal }: { idleMs: number; signal?: AbortSignal },
): Promise<boolean> {
  if (signal?.aborted || raw.destroyed) return Promise.resolve(false);
  if (!raw.writableNeedDrain) return Promise.resolve(true);
  return new Promise((resolve) => {
    const settle = (isDrained: boolean) => {
      raw.off("drain", read).off("close", lost).off("timeout", lost);
      signal?.removeEventListener("abort", lost);
      raw.setTimeout(0);
      resolve(isDrained);
    };
    const read = () => settle(true);
    const lost = () => settle(false);
    raw.once("drain", read).once("close", lost).once("timeout", lost);
    signal?.addEventListener("abort", lost);
    // The timeout of a socket starts again whenever some of what it holds was sent.
    raw.setTimeout(idleMs);
  });
}
