/** Lets a loop sleep until something happens, also what happened while it was busy. */
export function createBell(signal: AbortSignal) {
  let wake: (() => void) | null = null;
  let isRung = false;
  const ring = () => {
    isRung = true;
    wake?.();
  };
  signal.addEventListener("abort", ring, { once: true });
  return {
    ring,
    async rung(): Promise<void> {
      if (!isRung)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      isRung = false;
      wake = null;
    },
  };
}
