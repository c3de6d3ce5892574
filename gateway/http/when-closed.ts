import type { ServerResponse } from "node:http";

/**
 * Calls `then` once, when the answer has been sent or its client has disconnected: at once if that has already
 * happened, e.g. while the request waited for the database. `close` alone is emitted once and missed by later
 * listeners.
 */
export function whenClosed(answer: ServerResponse, then: () => void): void {
  if (answer.closed) then();
  else answer.once("close", then);
}
