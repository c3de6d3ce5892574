/** A value of this page that its parts follow, for `useSyncExternalStore(follow, get, …)`. */
export function createFollowed<Value>(initial: Value) {
  let current = initial;
  const listeners = new Set<() => void>();
  return {
    get: (): Value => current,
    /** Calls `listener` on each change. Returns a function that unsubscribes. */
    follow: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    set: (next: Value): void => {
      if (next === current) return;
      current = next;
      for (const listener of [...listeners]) listener();
    },
  };
}
