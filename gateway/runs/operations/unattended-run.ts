import { setTimeout as sleep } from "node:timers/promises";
import { type ErrorCode, errorCatalogue } from "#contract/error.ts";
import { cachedTokens } from "#gateway/billing/usage/lines.ts";
import type { ProviderRequest, SyncResult } from "#gateway/models/providers/provider.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { type Lease, leaseMs, soleHolderLeaseMs } from "#gateway/platform/core/leased-loop.ts";
import { ProviderError, upstreamErrorOf } from "#gateway/platform/core/provider-error.ts";
import { type RetrySchedule, retryWaitMs } from "#gateway/platform/core/retry-schedule.ts";
import type { SQL } from "#gateway/platform/database/drizzle.ts";
import { fromNow } from "#gateway/platform/database/free-leases.ts";
import { countLoad } from "#gateway/platform/figures/load.ts";
import {
  type Amounts,
  addFigures,
  countFailedTries,
  countRun,
  countTry,
  FigureSums,
} from "#gateway/platform/figures/sums.ts";
import { occupyPlaces, operationCounts, takeRates } from "#gateway/platform/http/limits.ts";
import type { RunTrace } from "#gateway/platform/http/run-trace.ts";
import type { Limit } from "#gateway/platform/limits/limiter.ts";
import { QuietError } from "#gateway/platform/network/quiet.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import { asApiError, type Served } from "./dispatch.ts";

/**
 * How often a run is tried that certainly did not start, and the waits in between: each is twice as long as
 * the one before.
 */
const maxAttempts = 6;
const runAgain: RetrySchedule = { firstMs: 3_000, factor: 2 };

/** How soon a run that waits because the installation is quiet is looked at again. */
export const quietWaitMs = 30_000;

/** Another process now has the job, or it was canceled or deleted. */
export class TakenOverError extends Error {}

/** Whether the upstream of a leased run may have been called. */
export interface Progress {
  isDispatched: boolean;
}

/** The lease of a run whose upstream is called now: longer if only this process will get the answer. */
export function leaseOfCall(
  { providers }: Pick<RunsContext, "providers">,
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
  if (error instanceof QuietError) return { next: "try again", afterMs: quietWaitMs, attempts };
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

/** Background work leaves this part of the rate and concurrency limits free for single requests. */
const singlePart = 1 / 4;
const placeWaitMs = 400;
const maxWaitMs = 60_000;

/** Thrown when the current limits leave no room to run this work in the background. */
export class NoRoomError extends Error {
  readonly waitMs: number;

  constructor(waitMs: number) {
    super("the rate and concurrency limits of this run's key or member leave no room now");
    this.waitMs = Math.min(waitMs, maxWaitMs);
  }
}

/** Takes one concurrency slot; call the returned function at the end. Throws `NoRoomError`. */
export async function takePlace({ limiter, config }: RunsContext, actor: Actor): Promise<() => void> {
  const counts = operationCounts(config, actor).map(({ places, ...count }) => ({
    ...count,
    places: places === null ? null : Math.max(1, places - spared(places)),
  }));
  const release = await occupyPlaces(limiter, actor, counts);
  if (typeof release !== "function") throw new NoRoomError(placeWaitMs);
  return release;
}

/**
 * Takes a slot as `takePlace` does, and counts the work in the rate limits, because no request of this work
 * was counted there.
 */
export async function takeRoom(context: RunsContext, actor: Actor): Promise<() => void> {
  const { limiter, config } = context;
  const release = await takePlace(context, actor);
  try {
    const least = ({ whose, rate }: { whose: string; rate: Limit }) =>
      whose === "account" ? 0 : spared(rate.count);
    const { hasRoom, rates } = await takeRates(limiter, operationCounts(config, actor), least);
    const last = rates.at(-1);
    if (hasRoom || !last) return release;
    const { rate, taken } = last;
    const short = least(last) - taken.remaining;
    throw new NoRoomError(taken.allowed ? (short * rate.periodMs) / rate.count : taken.retryAfterMs);
  } catch (error) {
    release();
    throw error;
  }
}

function spared(count: number): number {
  return Math.floor(count * singlePart);
}

/** Makes a run wait for tokens of a later minute as for any other room. Throws `NoRoomError`, or the error. */
export function waitForTokens(error: unknown): never {
  if (error instanceof ApiError && error.code === "rate_limit_exceeded")
    throw new NoRoomError((error.retryAfterSeconds ?? 1) * 1_000);
  throw error;
}

/** A run for which no request waits, such as a batch row, and its caller. */
export interface UnattendedRun {
  accountId: string;
  keyId: string | null;
  userId: string | null;
  model: string;
  operation: string;
}

/**
 * The usage statistics of an unattended run that has ended, with its attempts at upstreams. Add them in the
 * transaction that settles the run. Counts the run as load.
 */
export function figuresOfAnswer(
  run: UnattendedRun,
  { result, provider, region }: Served<SyncResult>,
  trace: RunTrace,
): FigureSums {
  const sums = new FigureSums();
  const now = clock.now();
  const { accountId, model } = run;
  const answerMs = (trace.answeredMs ?? 0) - (trace.askedMs ?? 0);
  const tokens = tokensOf(result, answerMs);
  const where = { provider: provider.id, region, status: 200, code: "", answerMs, ...tokens };
  const asked = { ...askedBy(run), ...where };
  countRun(sums, asked, now);
  countLoad(asked);
  countTry(sums, { accountId, model, ...where }, now);
  if (trace.failures) countFailedTries(sums, accountId, trace.failures, now);
  return sums;
}

/** The same for a run that has failed. */
export function figuresOfFailure(run: UnattendedRun, code: ErrorCode): FigureSums {
  const sums = new FigureSums();
  const { status } = errorCatalogue[code];
  const asked = { ...askedBy(run), provider: "", region: "", status, code };
  countRun(sums, asked, clock.now());
  countLoad(asked);
  return sums;
}

/**
 * Counts the upstreams that did not start a run. If the database's answer is lost they may be counted twice:
 * nothing else is written in the same transaction.
 */
export async function countFailedStart(
  { database }: Pick<RunsContext, "database">,
  accountId: string,
  { failures }: RunTrace,
): Promise<void> {
  if (failures === null) return;
  const sums = new FigureSums();
  countFailedTries(sums, accountId, failures, clock.now());
  await addFigures(database.queries, sums);
}

function askedBy({ accountId, keyId, userId, model, operation }: UnattendedRun) {
  return { accountId, kind: "run" as const, model, operation, keyId: keyId ?? userId ?? "" };
}

function tokensOf(result: SyncResult, generatingMs: number): Amounts {
  if (result.usage.unit !== "token") return {};
  const tokensOut = result.kind === "chat" ? result.completion.usage.completion_tokens : 0;
  return {
    tokensIn: result.usage.quantity - tokensOut,
    tokensOut,
    tokensCached: result.kind === "chat" ? cachedTokens(result.completion.usage) : 0,
    ...(tokensOut > 0 && { generatingMs }),
  };
}

const againAfterMs = 1_000;

/**
 * Retries a write that must not be lost while the database is unavailable: until it is saved, only this
 * process has the upstream's result. Retries until `deadline` or a stop; throws errors caused by the request
 * or the upstream at once.
 */
export async function retryUntilSaved<Result>(
  { log, signal }: Pick<ProviderRequest, "log" | "signal">,
  deadline: Date,
  work: () => Promise<Result>,
): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isOurs = !(error instanceof ApiError || error instanceof ProviderError);
      if (!isOurs || signal.aborted || deadline.getTime() <= clock.now()) throw error;
      log.warn({ err: error }, "an upstream's answer could not be saved, will retry");
      await sleep(againAfterMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
