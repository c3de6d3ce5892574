import { setImmediate as nextTurn } from "node:timers/promises";

/** Work that holds the event loop longer than this lets other requests go on in between. */
const sliceMs = 20;

/** For a long loop: call it between the steps, and await what it returns. */
export function lettingOthersRun(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < sliceMs) return;
    return nextTurn().then(() => {
      since = performance.now();
    });
  };
}
