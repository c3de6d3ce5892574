/**
 * How a process ends: it is asked to, and from then on takes no new work and hands over what only waits; when the time
 * for a drain is over, what still runs is notified and ended.
 */
export interface Drain {
  readonly isBegun: boolean;
  begin(): void;
  /** Calls back when the process is asked to end, at once if it was. Call the returned function to leave. */
  onBegin(call: () => void): () => void;
  /** Calls back when the time is over. Call the returned function to leave. */
  onEnd(call: () => void): () => void;
}

export function createDrain(drainMs: number): Drain {
  const atBegin = new Set<() => void>();
  const atEnd = new Set<() => void>();
  let isBegun = false;
  return {
    get isBegun() {
      return isBegun;
    },
    begin() {
      if (isBegun) return;
      isBegun = true;
      for (const call of [...atBegin]) call();
      setTimeout(() => {
        for (const call of [...atEnd]) call();
      }, drainMs).unref();
    },
    onBegin(call) {
      if (isBegun) call();
      else atBegin.add(call);
      return () => void atBegin.delete(call);
    },
    onEnd(call) {
      atEnd.add(call);
      return () => void atEnd.delete(call);
    },
  };
}
