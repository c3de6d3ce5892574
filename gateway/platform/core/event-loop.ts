import { setImmediate as afterSockets } from "node:timers/promises";

/** Work that holds the event loop longer than this lets other requests go on in between. */
const sliceMs = 20;

let last = Promise.resolve();

/**
 * Waits until timers and sockets have been looked at once. What is called from a socket and waits for one `setImmediate`
 * goes on before that: Node runs those right after the sockets' callbacks. Turns are given one after the other: many large
 * requests at once hold up a small one no longer than a single large one does.
 */
export function nextTurn(): Promise<void> {
  last = last.then(async () => {
    await afterSockets();
    await afterSockets();
  });
  return last;
}

/** For a long loop: call it between the steps, and await what it returns. */
export function yieldToEventLoop(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < sliceMs) return;
    return nextTurn().then(() => {
      since = performance.now();
    });
  };
}
