import os from "node:os";

/** Requests go first, but the process must still make progress. */
const lowPriority = 5;

/** Lets the gateway's requests go before this process. One with an even lower priority keeps it: only root may raise it. */
export function takeLowPriority(): void {
  os.setPriority(Math.max(os.getPriority(), lowPriority));
}
