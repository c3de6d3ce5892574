import type { ServerResponse } from "node:http";
import { Socket } from "node:net";

/**
 * Waits until the client has read what was written. False when it has disconnected, when the signal aborts, or when it
 * read nothing for `idleMs`; writing to the connection restarts that time.
 */
export function drained(
  raw: ServerResponse,
  { idleMs, signal }: { idleMs: number; signal?: AbortSignal },
): Promise<boolean> {
  if (signal?.aborted || raw.destroyed) return Promise.resolve(false);
  // The answer to an inner request has no connection, and never says that it was read: its reader bounds what it keeps.
  if (!raw.writableNeedDrain || !(raw.socket instanceof Socket)) return Promise.resolve(true);
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
    // A socket's timeout restarts whenever some of its buffered data was sent.
    raw.setTimeout(idleMs);
  });
}
