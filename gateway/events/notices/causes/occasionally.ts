import type { Context } from "#gateway/context.ts";
import type { Sweep } from "#gateway/platform/core/sweeps.ts";

/**
 * Periodically runs a check for causes that no other code reports. If two processes check at once, they find
 * the same causes.
 */
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
