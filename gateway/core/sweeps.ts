import type { Context } from "#gateway/context.ts";

/** Removes expired data; safe to run in several processes at once. */
export interface Sweep {
  /** What it removes, for the log. */
  name: string;
  run(context: Context): Promise<unknown>;
}

const everyMs = { min: 500, max: 30_000 } as const;

/**
 * Runs the sweeps one after another, at the start and then periodically. A failed sweep is retried in the next round.
 */
export function startSweeps(context: Context, sweeps: readonly Sweep[]): { stop(): Promise<void> } {
  const periodMs = Math.min(everyMs.max, Math.max(everyMs.min, context.config.retentionMs / 4));
  let stopped = false;
  let current: Promise<void> = Promise.resolve();
  const sweep = async (): Promise<void> => {
    for (const { name, run } of sweeps) {
      if (stopped) return;
      try {
        await run(context);
      } catch (error) {
        context.log.warn({ err: error }, `sweep of ${name} failed, will retry`);
      }
    }
  };
  const timer = setInterval(() => {
    current = current.then(sweep);
  }, periodMs);
  current = sweep();
  return {
    async stop() {
      stopped = true;
      clearInterval(timer);
      await current;
    },
  };
}
