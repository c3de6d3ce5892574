import type { Context } from "#gateway/context.ts";
import type { Sweep } from "#gateway/platform/core/sweeps.ts";

/** Looks for causes that nothing else tells, each so often in this process; two processes that look at once find the same. */
export function occasionally(
  kind: string,
  everyMs: number,
  look: (context: Context) => Promise<void>,
): Sweep {
  const nextAt = new WeakMap<Context, number>();
  return {
    kind,
    async run(context) {
      if (performance.now() < (nextAt.get(context) ?? 0)) return false;
      await look(context);
      nextAt.set(context, performance.now() + everyMs);
      return false;
    },
    oldestDue: () => null,
  };
}
