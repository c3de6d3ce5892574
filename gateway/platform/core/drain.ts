import { Slots } from "./slots.ts";

/**
 * Stops a process in two steps: after a stop request it takes no new work and hands over waiting work; when
 * the drain time is over, remaining work is notified and ended.
 */
export interface Drain {
  readonly isBegun: boolean;
  begin(): void;
  /** Whether an operator drained this process: it takes no new work, and does not stop. */
  readonly isPaused: boolean;
  /** Drains the process, which also hands over waiting work, or lets it take work again. */
  pause(isPaused: boolean): void;
  /** Calls back when work may be taken again. */
  onResume(call: () => void): () => void;
  /** How many requests, jobs and deliveries this process has in hand. */
  running(): number;
  /** Adds the work of one part to `running`. */
  count(read: () => number): void;
  /**
   * Calls back when the process gets a stop request or is drained, or at once if it already got a stop
   * request. Call the returned function to unsubscribe.
   */
  onBegin(call: () => void): () => void;
  /** Calls back when the drain time is over. Call the returned function to unsubscribe. */
  onEnd(call: () => void): () => void;
}

export function createDrain(drainMs: number): Drain {
  const atBegin = new Calls();
  const atEnd = new Calls();
  const atResume = new Calls();
  const counts: (() => number)[] = [];
  let isBegun = false;
  let isPaused = false;
  return {
    get isBegun() {
      return isBegun;
    },
    begin() {
      if (isBegun) return;
      isBegun = true;
      atBegin.callAll();
      setTimeout(() => atEnd.callAll(), drainMs).unref();
    },
    get isPaused() {
      return isPaused;
    },
    pause(next) {
      if (next === isPaused) return;
      isPaused = next;
      (isPaused ? atBegin : atResume).callAll();
    },
    onResume: (call) => atResume.add(call),
    running: () => counts.reduce((sum, read) => sum + read(), 0),
    count: (read) => void counts.push(read),
    onBegin(call) {
      if (!isBegun) return atBegin.add(call);
      call();
      return () => {};
    },
    onEnd: (call) => atEnd.add(call),
  };
}

class Calls extends Slots<() => void> {
  callAll(): void {
    for (const call of this.items()) call();
  }
}
