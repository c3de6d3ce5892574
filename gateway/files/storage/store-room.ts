import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { isDiskFull } from "#gateway/platform/core/data-folder.ts";
import { type RetrySchedule, retryWaitMs } from "#gateway/platform/core/retry-schedule.ts";
import type { Database } from "#gateway/platform/database/database.ts";
import type { ObjectStore } from "./object-store.ts";

const channel = "store_room";
type Heard = "full" | "room";
/** A store that refused a file counts as full for this time, unless it accepts a file earlier. */
const rememberedMs = 60_000;
/** How often other processes are notified that the store is still full. */
const tellMs = 10_000;

/** Whether the file store was full at the last write of any process. */
export interface StoreRoom {
  readonly fullSince: Date | null;
  /** Call when a file could not be stored. */
  full(error: StoreFullError): void;
  /** Wraps the store, to notice its writes. */
  noting(store: ObjectStore): ObjectStore;
  close(): void;
}

export async function followStoreRoom(
  database: Pick<Database, "listen" | "notify">,
  log: Logger,
): Promise<StoreRoom> {
  let since: Date | null = null;
  let until = 0;
  let toldAt = Number.NEGATIVE_INFINITY;
  const note = (heard: Heard): void => {
    if (heard === "room") {
      since = null;
      return;
    }
    since = isFull() ? since : clock.date();
    until = clock.now() + rememberedMs;
  };
  const isFull = () => since !== null && clock.now() < until;
  const stop = await database.listen(channel, (heard) => {
    if (heard === "full" || heard === "room") note(heard);
  });
  const full = (error: StoreFullError): void => {
    if (!isFull()) log.error({ err: error.cause }, error.message);
    note("full");
    if (clock.now() - toldAt < tellMs) return;
    toldAt = clock.now();
    database.notify(channel, "full" satisfies Heard);
  };
  const watched = async <Stored>(store: () => Promise<Stored>): Promise<Stored> => {
    try {
      const stored = await store();
      if (isFull()) {
        log.info("files can be stored again");
        note("room");
        toldAt = Number.NEGATIVE_INFINITY;
        database.notify(channel, "room" satisfies Heard);
      }
      return stored;
    } catch (error) {
      if (error instanceof StoreFullError) full(error);
      throw error;
    }
  };
  return {
    get fullSince() {
      return isFull() ? since : null;
    },
    full,
    noting: (store) => ({
      ...store,
      put: (...file) => watched(() => store.put(...file)),
      parts: {
        ...store.parts,
        put: (...part) => watched(() => store.parts.put(...part)),
        complete: (...whole) => watched(() => store.parts.complete(...whole)),
      },
    }),
    close: stop,
  };
}

const retryAfterSeconds = 30;
/** A caller of a sync operation waits this long for room. */
export const callerWaitsMs = 30_000;
const storeAgain: RetrySchedule = { firstMs: 1_000, factor: 2, maxMs: 15_000 };

const fullPlaces = { disk: "disk", store: "object store" } as const;

/** There is no room for files, on the data folder's disk or in the bucket. */
export class StoreFullError extends ApiError {
  constructor(place: keyof typeof fullPlaces, cause: unknown) {
    super(
      "service_unavailable",
      `This gateway's ${fullPlaces[place]} is full, so files cannot be stored now.`,
      {
        retryAfterSeconds,
        cause,
      },
    );
  }
}

/** Errors of S3 servers; most also answer 507. */
const fullBucketNames = new Set([
  "QuotaExceeded",
  "QuotaExceededException",
  "ServiceQuotaExceeded",
  "InsufficientStorage",
  "InsufficientCapacity",
  "XMinioStorageFull",
  "XMinioAdminBucketQuotaExceeded",
  "XRGWQuotaExceeded",
]);
const insufficientStorage = 507;

/** Converts a write error of the disk or the store: to StoreFullError if there was no room. */
export function orStoreFull(error: unknown): unknown {
  const { name, $metadata } = error as {
    name?: string;
    $metadata?: { httpStatusCode?: number };
  };
  if (isDiskFull(error)) return new StoreFullError("disk", error);
  const isFull = $metadata?.httpStatusCode === insufficientStorage || fullBucketNames.has(name ?? "");
  return isFull ? new StoreFullError("store", error) : error;
}

/** Repeats `work` while there is no room for its files, until a time (ms) or a stop. */
export async function untilRoom<Result>(
  { until, signal, full }: { until: number; signal: AbortSignal; full: (error: StoreFullError) => void },
  work: () => Promise<Result>,
): Promise<Result> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreFullError)) throw error;
      full(error);
      const leftMs = until - clock.now();
      if (signal.aborted || leftMs <= 0) throw error;
      const waitMs = Math.min(leftMs, retryWaitMs(storeAgain, failures));
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
