import { setImmediate as afterSockets } from "node:timers/promises";

/** Work that holds the event loop longer than this yields to other requests. */
const sliceMs = 20;

let last = Promise.resolve();

/**
 * Waits until timers and sockets have been served once. One `setImmediate` in a socket's callback would
 * continue too early: Node runs those right after the callbacks. Turns are granted one at a time, so that
 * many large requests together delay a small one no longer than a single large one does.
 */
export function nextTurn(): Promise<void> {
  last = last.then(async () => {
    await afterSockets();
    await afterSockets();
  });
  return last;
}

/** From this length on, each step that reads a whole text or its bytes has a turn of its own. */
export const longText = 200_000;

/** Reads a text, or the bytes of one; a long one in a turn of its own, so that other requests proceed in between. */
export async function inOwnTurn<Text extends { length: number }, Result>(
  text: Text,
  read: (text: Text) => Result,
): Promise<Result> {
  if (text.length <= longText) return read(text);
  await nextTurn();
  const result = read(text);
  await nextTurn();
  return result;
}

/**
 * For long loops: call the returned function between steps, and await its result. It throws once the caller
 * has `left`.
 */
export function yieldToEventLoop(left?: AbortSignal): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < sliceMs) return;
    return nextTurn().then(() => {
      left?.throwIfAborted();
      since = performance.now();
    });
  };
}
