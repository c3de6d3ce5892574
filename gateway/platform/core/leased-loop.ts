import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import type { Logger } from "pino";
import type { Drain } from "./drain.ts";

/** Identifies this process in leases. */
export const instanceId = `${hostname()}:${process.pid}:${randomBytes(4).toString("hex")}`;

/** After this time a dead worker's job is taken over; live workers renew their leases every third of it. */
export const leaseMs = 30_000;

/**
 * The lease for work at an upstream that no other process can poll or restart. Its holder has the only copy
 * of the answer, and may only be cut off from the database, so other processes wait 120 s longer before they
 * take the work over.
 */
export const soleHolderLeaseMs = leaseMs + 120_000;

/** The jobs in this process, by key, with the length of each lease in ms. */
export type InHand = ReadonlyMap<string, number>;

/** The lease of a job, for the code that runs the job. */
export interface Lease {
  /**
   * Aborts when the drain time is over; until then work may finish, because an interrupted start has an
   * unknown outcome.
   */
  signal: AbortSignal;
  /** Sets whether only this process can finish the job from now on. If so, its lease is longer. */
  isSoleHolder(is: boolean): void;
}

interface LeasedLoopOptions<Job>
  extends Pick<SlotLoopOptions<Job>, "name" | "slots" | "pollMs" | "isPassing"> {
  keyOf(job: Job): string;
  accountOf(job: Job): string;
  /**
   * Leases up to `limit` jobs; `busy`: slots in use per account. Must not return a job of `inHand`, even if
   * its lease has expired.
   */
  claim(limit: number, inHand: InHand, busy: ReadonlyMap<string, number>): Promise<Job[]>;
  /**
   * Does a job, or one step of it. If it returns a function, the function runs without occupying a slot, and
   * the lease is still renewed until it ends.
   */
  run(job: Job, lease: Lease): Promise<void | (() => Promise<void>)>;
  /**
   * Renews the leases of the jobs of `inHand` and no others: a lease that could not be released must expire.
   */
  renew(inHand: InHand): Promise<void>;
}

/**
 * Runs jobs that are rows with a lease: claims them for free slots, renews their leases while they run, and
 * lets running ones finish when the process drains. A drained process claims none. A job whose process dies is leased again after its lease
 * expires.
 */
export function startLeasedLoop<Job>(
  { log, drain }: { log: Logger; drain: Drain },
  { keyOf, accountOf, claim, run, renew, ...options }: LeasedLoopOptions<Job>,
): SlotLoop {
  const stopping = new AbortController();
  const inHand = new Map<string, number>();
  const busy = new Map<string, number>();
  const unslotted = new Set<Promise<void>>();
  const loop = startSlotLoop<Job>({
    ...options,
    log,
    claim: async (limit) => (drain.isPaused ? [] : claim(limit, inHand, busy)),
    async run(job) {
      const [key, account] = [keyOf(job), accountOf(job)];
      inHand.set(key, leaseMs);
      busy.set(account, (busy.get(account) ?? 0) + 1);
      let rest: (() => Promise<void>) | null = null;
      try {
        const isSoleHolder = (is: boolean) => void inHand.set(key, is ? soleHolderLeaseMs : leaseMs);
        rest = (await run(job, { signal: stopping.signal, isSoleHolder })) ?? null;
      } finally {
        const left = (busy.get(account) ?? 1) - 1;
        if (left === 0) busy.delete(account);
        else busy.set(account, left);
        if (!rest) inHand.delete(key);
      }
      if (!rest) return;
      const ended = rest().finally(() => {
        unslotted.delete(ended);
        inHand.delete(key);
      });
      unslotted.add(ended);
    },
  });
  drain.count(() => inHand.size);
  const stopResuming = drain.onResume(() => loop.wake());
  const heartbeat = setInterval(() => {
    if (inHand.size > 0)
      renew(inHand).catch((error) =>
        log.warn({ err: error }, `${options.name}: leases could not be renewed, will retry`),
      );
  }, leaseMs / 3);
  return {
    ...loop,
    async stop() {
      const stopWaiting = drain.onEnd(() => stopping.abort());
      await loop.stop();
      await Promise.all(unslotted);
      clearInterval(heartbeat);
      stopResuming();
      stopWaiting();
    },
  };
}

interface SlotLoopOptions<Job> {
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

export interface SlotLoop {
  /** Looks for work now, e.g. after a NOTIFY. */
  wake(): void;
  /** Looks again after `ms`, unless woken earlier. */
  wakeIn(ms: number): void;
  /** Takes no new work and waits for the running jobs. */
  stop(): Promise<void>;
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
