import type { PlatformContext } from "#gateway/platform/context.ts";

/** Removes expired data; safe to run in several processes at once. */
export interface Sweep<Context = PlatformContext> {
  /** The kind of data that the sweep removes; used in the log, and as `kind` in the metrics. */
  kind: string;
  /** Works on one bounded batch of due rows; returns true if more may be due now. */
  run: (context: Context) => Promise<boolean>;
  /** SQL: when the oldest remaining row became or becomes due. Null for sweeps without such a time. */
  oldestDue: (context: Context) => string | null;
}

const everyMs = { min: 500, max: 30_000 } as const;

/**
 * Runs each sweep at the start and then periodically, each time until nothing is due. Sweeps run
 * concurrently, so a backlog of one does not delay the others. A failed sweep is retried in the next round.
 */
export function startSweeps(context: PlatformContext, sweeps: readonly Sweep[]): { stop(): Promise<void> } {
  const periodMs = Math.min(everyMs.max, Math.max(everyMs.min, context.config.retentionMs / 4));
  const stopping = new AbortController();
  const { signal } = stopping;
  const keepSweeping = async (sweep: Sweep): Promise<void> => {
    while (!signal.aborted) {
      const more = await sweep.run(context).catch((error: unknown) => {
        context.log.warn({ err: error }, `sweep of ${sweep.kind} failed, will retry`);
        return false;
      });
      if (!more) await pause(periodMs, signal);
    }
  };
  const running = sweeps.map(keepSweeping);
  return {
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}

/**
 * Periodically runs a check for causes that no other code reports. If two processes check at once, they find
 * the same causes.
 */
export function occasionally<Context extends object>(
  kind: string,
  everyMs: number,
  look: (context: Context) => Promise<void>,
): Sweep<Context> {
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

/** Runs a sweep until nothing is due. */
export async function sweepAll<Context>(context: Context, sweep: Sweep<Context>): Promise<void> {
  while (await sweep.run(context));
}

/** For each kind of data, how many seconds ago its oldest expired row became due; 0 if no row is due. */
export async function readLags<Context extends Pick<PlatformContext, "database">>(
  context: Context,
  sweeps: readonly Sweep<Context>[],
): Promise<Record<string, number>> {
  const columns = sweeps.flatMap((sweep) => {
    const oldestDue = sweep.oldestDue(context);
    if (oldestDue === null) return [];
    return `greatest(0, coalesce(extract(epoch from now() - (${oldestDue})), 0))::float8 as ${sweep.kind}`;
  });
  const { rows } = await context.database.pool.query<Record<string, number>>(`select ${columns.join(", ")}`);
  return rows[0] ?? {};
}
