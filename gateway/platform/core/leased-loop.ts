import type { Logger } from "pino";
import type { Drain } from "./drain.ts";
import { leaseMs, soleHolderLeaseMs } from "./instance.ts";
import { type SlotLoop, type SlotLoopOptions, startSlotLoop } from "./slot-loop.ts";

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
 * lets running ones finish when the process drains. A job whose process dies is leased again after its lease
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
    claim: (limit) => claim(limit, inHand, busy),
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
      stopWaiting();
    },
  };
}
