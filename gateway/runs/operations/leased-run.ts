import type { Context } from "#gateway/context.ts";
import type { ProviderRequest } from "#gateway/models/providers/provider.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { leaseMs, soleHolderLeaseMs } from "#gateway/platform/core/instance.ts";
import type { Lease } from "#gateway/platform/core/leased-loop.ts";
import { upstreamErrorOf } from "#gateway/platform/core/provider-error.ts";
import { type RetrySchedule, retryWaitMs } from "#gateway/platform/core/retry-schedule.ts";
import type { SQL } from "#gateway/platform/database/drizzle.ts";
import { fromNow } from "#gateway/platform/database/free-leases.ts";
import { asApiError } from "./dispatch.ts";

/**
 * How often a run is tried that certainly did not start, and the waits in between: each is twice as long as
 * the one before.
 */
const maxAttempts = 6;
const runAgain: RetrySchedule = { firstMs: 3_000, factor: 2 };

/** Another process now has the job, or it was canceled or deleted. */
export class TakenOverError extends Error {}

/** Whether the upstream of a leased run may have been called. */
export interface Progress {
  isDispatched: boolean;
}

/** The lease of a run whose upstream is called now: longer if only this process will get the answer. */
export function leaseOfCall(
  { providers }: Pick<Context, "providers">,
  { model, operation, region }: ProviderRequest,
  lease: Lease,
): { isSoleHolder: boolean; leaseExpiresAt: SQL<Date> } {
  const isSoleHolder = !providers.route(model, operation, region)[0]?.restartable;
  lease.isSoleHolder(isSoleHolder);
  return { isSoleHolder, leaseExpiresAt: fromNow(isSoleHolder ? soleHolderLeaseMs : leaseMs) };
}

/** What to do after the failure of a leased run. */
export type AfterFailure =
  /**
   * This process stops and the upstream may have begun: the process that takes the lease over ends the run.
   */
  | { next: "leave" }
  | { next: "try again"; afterMs: number; attempts: number }
  /** `mayHaveRun`: it is unknown whether it ran. */
  | { next: "end"; failure: ApiError; mayHaveRun: boolean };

/** Decides what to do after a failure, by the error and by the number of tries so far. */
export function afterFailure(
  error: unknown,
  { isDispatched }: Progress,
  attempts: number,
  { signal }: Pick<Lease, "signal">,
): AfterFailure {
  const upstream = upstreamErrorOf(error);
  const hasStarted = isDispatched && upstream?.started !== "no";
  if (signal.aborted) return hasStarted ? { next: "leave" } : { next: "try again", afterMs: 0, attempts };
  const failure = asApiError(error);
  const mayPass = (failure.status >= 500 || failure.status === 429) && !upstream?.final;
  if (!hasStarted && mayPass && attempts + 1 < maxAttempts)
    return {
      next: "try again",
      afterMs: Math.max(retryWaitMs(runAgain, attempts + 1), upstream?.retryAfterMs ?? 0),
      attempts: attempts + 1,
    };
  return { next: "end", failure, mayHaveRun: hasStarted && upstream?.started === "unknown" };
}

/** The error for a run that may or may not have run; `why` is a sentence. */
export function outcomeUnknown(why: string): ApiError {
  return new ApiError("upstream_outcome_unknown", `${why} It was not sent again.`);
}
