import type { ServerResponse } from "node:http";

/**
 * Calls `then` once, when the answer has been sent or its client has gone: at once if that has happened already, as it
 * may while a request waits for the database. `close` alone comes once, and to nobody who asks later.
 */
export function whenClosed(answer: ServerResponse, then: () => void): void {
  if (answer.closed) then();
  else answer.once("close", then);
}
