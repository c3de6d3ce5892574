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
  const atBegin = new Calls();
  const atEnd = new Calls();
  let isBegun = false;
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
    onBegin(call) {
      if (!isBegun) return atBegin.add(call);
      call();
      return () => {};
    },
    onEnd: (call) => atEnd.add(call),
  };
}

/**
 * Callbacks in slots that are used again. A Set that changes with every request leaves outgrown tables behind, and what
 * these reference, whole requests, survives until the next full garbage collection: a fifth more processor time a chat.
 */
class Calls {
  private readonly slots: ((() => void) | null)[] = [];
  private readonly free: number[] = [];

  /** Returns the function that removes it. */
  add(call: () => void): () => void {
    const at = this.free.pop() ?? this.slots.length;
    this.slots[at] = call;
    return () => {
      if (this.slots[at] !== call) return;
      this.slots[at] = null;
      this.free.push(at);
    };
  }

  callAll(): void {
    for (const call of [...this.slots]) call?.();
  }
}
