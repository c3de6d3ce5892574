import type { Logger } from "pino";

export interface SlotLoop {
  /** Looks for work now, e.g. after a NOTIFY. */
  wake(): void;
  /** Looks again after `ms`, unless woken earlier. */
  wakeIn(ms: number): void;
  /** Takes no new work and waits for the running jobs. */
  stop(): Promise<void>;
}

export interface SlotLoopOptions<Job> {
  name: string;
  log: Logger;
  /** Concurrent jobs in this process. */
  slots: number;
  /** The longest delay if a wake-up is lost. */
  pollMs: number;
  /** Leases up to `limit` jobs to this process. */
  claim(limit: number): Promise<Job[]>;
  /** Runs one job; must not throw for expected failures. */
  run(job: Job): Promise<void>;
  /** Whether this job error is expected: the job's lease then ends, and the job runs again. */
  isPassing?(error: unknown): boolean;
}

/**
 * Runs leased jobs in slots: a free slot is filled at once, and a slow job occupies only its own slot.
 * Retries while the database is unavailable.
 */
export function startSlotLoop<Job>(options: SlotLoopOptions<Job>): SlotLoop {
  const { name, log, slots, pollMs } = options;
  const running = new Set<Promise<void>>();
  const timers = new Set<NodeJS.Timeout>();
  let stopped = false;
  let looking = false;
  let lookAgain = false;

  const look = async (): Promise<void> => {
    if (stopped) return;
    if (looking) {
      lookAgain = true;
      return;
    }
    looking = true;
    try {
      do {
        lookAgain = false;
        const free = slots - running.size;
        if (free <= 0) break;
        const jobs = await options.claim(free);
        for (const job of jobs) start(job);
        if (jobs.length === free) lookAgain = true;
      } while (lookAgain && !stopped);
    } catch (error) {
      log.warn({ err: error }, `${name}: could not look for work, will retry`);
    } finally {
      looking = false;
    }
  };
  const start = (job: Job): void => {
    const run = options
      .run(job)
      .catch((error) => {
        if (options.isPassing?.(error))
          log.warn({ err: error }, `${name}: a job could not be saved, will retry`);
        else log.error({ err: error }, `${name}: a job failed unexpectedly`);
      })
      .finally(() => {
        running.delete(run);
        void look();
      });
    running.add(run);
  };
  const timer = setInterval(look, pollMs);
  void look();
  return {
    wake: () => void look(),
    wakeIn(ms) {
      if (stopped || ms >= pollMs) return;
      const once = setTimeout(() => {
        timers.delete(once);
        void look();
      }, ms);
      timers.add(once);
    },
    async stop() {
      stopped = true;
      clearInterval(timer);
      for (const once of timers) clearTimeout(once);
      await Promise.allSettled(running);
    },
  };
}
