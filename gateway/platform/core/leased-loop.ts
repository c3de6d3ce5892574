import type { Logger } from "pino";
import type { Drain } from "./drain.ts";
import { leaseMs, soleHolderLeaseMs } from "./instance.ts";
import { type SlotLoop, type SlotLoopOptions, startSlotLoop } from "./slot-loop.ts";

/** What this process works on, by key: how long the lease of each is, in ms. */
export type InHand = ReadonlyMap<string, number>;

/** A job as its work sees it. */
export interface Lease {
  /** Aborts when the time for a drain is over: until then work may end, since an interrupted start has an unknown outcome. */
  signal: AbortSignal;
  /** Tells whether from now on only this process can end the job: then its lease is longer. */
  isSoleHolder(is: boolean): void;
}

interface LeasedLoopOptions<Job>
  extends Pick<SlotLoopOptions<Job>, "name" | "slots" | "pollMs" | "isPassing"> {
  keyOf(job: Job): string;
  accountOf(job: Job): string;
  /** Leases up to `limit` jobs; `busy` says how many of each account have a slot. None in hand: its lease may have expired. */
  claim(limit: number, inHand: InHand, busy: ReadonlyMap<string, number>): Promise<Job[]>;
  /** Does a job, or a step of it. What it returns is done without a slot, the job stays in hand meanwhile. */
  run(job: Job, lease: Lease): Promise<void | (() => Promise<void>)>;
  /** Renews the leases of what is in hand, and of nothing else: one that could not be released must expire. */
  renew(inHand: InHand): Promise<void>;
}

/**
 * Runs jobs that are rows with a lease: claims them in slots, keeps their leases while they are in hand, and lets what runs
 * end when the process is drained. A job whose process dies is leased again when its lease has ended.
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
