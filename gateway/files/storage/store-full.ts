import { setTimeout as sleep } from "node:timers/promises";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";

const retryAfterSeconds = 30;
/** The wait before a file is stored again: doubles. */
const againMs = { first: 1_000, most: 15_000 } as const;

const fullPlaces = { disk: "disk", store: "object store" } as const;

/** No room for files: on the disk of the data folder, or in the bucket. */
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

/** What Node says of a full disk, or of a used-up quota on it. */
const fullDiskCodes = new Set(["ENOSPC", "EDQUOT"]);
/** What S3 servers say; most also answer 507. */
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

/** The error of a write to the disk or the store: a StoreFullError where there was no room. */
export function orStoreFull(error: unknown): unknown {
  const { name, code, $metadata } = error as {
    name?: string;
    code?: string;
    $metadata?: { httpStatusCode?: number };
  };
  if (fullDiskCodes.has(code ?? "")) return new StoreFullError("disk", error);
  const isFull = $metadata?.httpStatusCode === insufficientStorage || fullBucketNames.has(name ?? "");
  return isFull ? new StoreFullError("store", error) : error;
}

/** Repeats `work` while there is no room for its files, until a time (ms) or a stop. */
export async function untilRoom<Result>(
  { until, signal, full }: { until: number; signal: AbortSignal; full: (error: StoreFullError) => void },
  work: () => Promise<Result>,
): Promise<Result> {
  for (let waitMs: number = againMs.first; ; waitMs = Math.min(againMs.most, waitMs * 2)) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreFullError)) throw error;
      full(error);
      const leftMs = until - clock.now();
      if (signal.aborted || leftMs <= 0) throw error;
      await sleep(Math.min(waitMs, leftMs), undefined, { signal }).catch(() => undefined);
    }
  }
}
