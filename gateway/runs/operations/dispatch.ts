import { setTimeout as sleep } from "node:timers/promises";
import type { GoOnReason } from "#contract/alias-constants.ts";
import type { CatalogOperation, RegionName } from "#contract/catalog.ts";
import type { ErrorCode } from "#contract/error.ts";
import { usualRouteReasons } from "#contract/operator/constants.ts";
import type { Payer } from "#gateway/billing/usage/lines.ts";
import type { Context } from "#gateway/context.ts";
import type { Patience, Provider, ProviderRequest } from "#gateway/models/providers/provider.ts";
import type { Routes } from "#gateway/models/providers/providers.ts";
import type { TakenKey } from "#gateway/models/providers/upstreams/key-ring.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Passage } from "#gateway/platform/core/breaker.ts";
import { counters } from "#gateway/platform/core/counters.ts";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import type { BegunCall, ModelAnswer, ModelCall } from "#gateway/platform/telemetry/telemetry.ts";
import { type Attempts, isBilledFailure, mayRunTwice, reasonToGoOn, recordFailedTry } from "./attempts.ts";
import type { SilenceLimit } from "./first-content.ts";

/** Upstream failures caused by the deployment, not by the request. */
const breaking = new Set<ErrorCode>([
  "upstream_error",
  "upstream_timeout",
  "upstream_invalid_response",
  "upstream_stream_interrupted",
  "service_unavailable",
]);

/** Providers tried in each region. */
const maxTriesPerRegion = 3;

/** The work to run in `request.region` or, if it cannot start there, in another region. */
export interface Dispatch<Result> {
  request: ProviderRequest;
  otherRegions: readonly RegionName[];
  /** The routes at the time of the request; without them the current ones. */
  routes?: Routes;
  /** An accepted run must start, so the first region is tried even if its breaker is open. */
  isAccepted?: boolean;
  /** Which providers may be tried; all of the routes if not set. */
  accepts?(provider: Provider): boolean;
  /**
   * The caller, for recording the cost of failed attempts. Not set for work that is never repeated once it
   * may have started.
   */
  payer?: Payer;
  /** The request's budget of attempts, and the record of each attempt. */
  attempts: Attempts;
  /** Extracts the part of a result that the trace records. */
  told?(result: Result): ModelAnswer;
  /** `limit`: how long the provider may be silent, if another one could be tried. */
  run(provider: Provider, request: ProviderRequest, limit: SilenceLimit | null): Promise<Result>;
}

export interface Served<Result> {
  result: Result;
  provider: Provider;
  region: RegionName;
  /** The request that ran, in its region. */
  request: ProviderRequest;
  /** Its span in the trace; null without tracing. */
  traced: BegunCall | null;
}

/** A streamed answer that has started. */
export interface Begun<Result> extends Served<Result> {
  /** Call once at the end: reports to the breakers of the upstream and the deployment whether it failed. */
  report(failure: ApiError | null): void;
  /** Call always at the end, even without a report: it lets the next request probe the provider. */
  leave(): void;
}

/** Tries the providers of the operation (see `begin`) for a complete answer. */
export async function dispatch<Result>(context: Context, order: Dispatch<Result>): Promise<Served<Result>> {
  const begun = await begin(context, order);
  order.attempts.trace.answered();
  if (begun.traced && order.told) begun.traced.answered(order.told(begun.result));
  begun.report(null);
  begun.leave();
  return begun;
}

/**
 * Tries the providers of the operation in order, region by region. The next one is tried only if the previous
 * one certainly did not start the work, or if the work may run twice (docs/providers.md, "When an upstream
 * fails"), and its route allows that for such a failure. Another region is tried only while its deployment is
 * healthy. A provider that asked for a pause with `Retry-After` is not called until the pause ends. If a
 * provider has several keys, the next one is tried when one is refused or at its limit. Throws the last
 * failure with a code of the contract.
 */
export async function begin<Result>(context: Context, order: Dispatch<Result>): Promise<Begun<Result>> {
  const { request, attempts, routes = context.providers } = order;
  const { model, operation } = request;
  const runsTwice = mayRunTwice(request);
  const regions = [request.region, ...order.otherRegions];
  let last: ApiError | null = null;
  for (const [at, region] of regions.entries()) {
    const providers = routes.route(model, operation, region);
    const isFree = (provider: Provider, there = region): boolean =>
      provider.supports(operation, model).ok && restOf(context, provider, model.id, there) === null;
    const isElsewhereFree = (): boolean =>
      regions
        .slice(at + 1)
        .some((there) => routes.route(model, operation, there).some((one) => isFree(one, there)));
    let passage: Passage | null = null;
    let tried = 0;
    for (const [place, provider] of providers.entries()) {
      if (tried >= maxTriesPerRegion || (last && !attempts.mayTry)) break;
      if (order.accepts?.(provider) === false) continue;
      const support = provider.supports(operation, model);
      if (!support.ok) {
        tried += 1;
        last = notAsked("service_unavailable", support.reason, { final: true });
        continue;
      }
      const rest = restOf(context, provider, model.id, region);
      if (rest) {
        const failure = asApiError(rest);
        last ??= failure;
        if (!goesOn(provider, operation, reasonToGoOn(failure, runsTwice))) throw last;
        continue;
      }
      const isSpared = runsTwice && (at + 1 < regions.length || attempts.otherModel?.("down") === true);
      passage ??= context.catalog.enter(model.id, region, isSpared);
      if (!passage && !(order.isAccepted && region === request.region)) {
        const refused = context.catalog.pickRegion(model, region, null);
        last ??= notAsked(
          "no_healthy_region",
          `${model.id} is not healthy in ${region} now. Try again later.`,
          "retryAfterMs" in refused ? refused : {},
        );
        break;
      }
      tried += 1;
      const isOtherFree = (): boolean =>
        ((place + 1 < providers.length || at + 1 < regions.length) &&
          goesOn(provider, operation, "slow") &&
          ((tried < maxTriesPerRegion && providers.slice(place + 1).some((other) => isFree(other))) ||
            isElsewhereFree())) ||
        attempts.otherModel?.("slow") === true;
      const mayBeLeft = runsTwice && provider.patience !== undefined && attempts.mayTryTwice;
      const limit = mayBeLeft && isOtherFree() ? (provider.patience ?? null) : null;
      const done = await ask(context, order, { provider, region, passage, runsTwice, limit });
      if ("result" in done) return done;
      last = done.failure;
      if (!goesOn(provider, operation, done.reason)) throw last;
    }
  }
  throw (
    last ??
    notAsked("service_unavailable", `${model.id} is not served in ${request.region} by this gateway.`, {
      final: true,
    })
  );
}

/** One provider in one region to try. */
interface Place {
  provider: Provider;
  region: RegionName;
  /** Null: the provider is tried even if its breaker is open. */
  passage: Passage | null;
  runsTwice: boolean;
  limit: Patience | null;
}

/** A provider that did not answer, and why another one may be tried. */
interface Failed {
  failure: ApiError;
  reason: GoOnReason | null;
}

/**
 * Calls one provider. Calls it again with another of its keys if one is refused or at its limit, once more
 * after a failure that often passes, and once more after a short `Retry-After` if its route waits for that.
 * Throws the abort's error if the request was aborted.
 */
async function ask<Result>(
  context: Context,
  { request, attempts, run, payer }: Dispatch<Result>,
  { provider, region, passage, runsTwice, limit }: Place,
): Promise<Begun<Result> | Failed> {
  const { model, operation } = request;
  const { trace } = attempts;
  const where = { provider: provider.id, model: model.id, region };
  const ring = provider.keyRing?.(region) ?? null;
  const patience = limit && { ...limit, mayHandOver: () => attempts.mayTry };
  const probe = context.providers.enter(provider, region);
  const leavePassages = () => {
    probe?.leave();
    passage?.leave();
  };
  let key = ring?.take() ?? null;
  // A provider whose breaker is not closed is called only once.
  let isAskedAgain = passage?.isProbe === true || probe?.isProbe !== false;
  let hasWaited = false;
  for (;;) {
    attempts.begin(provider.id);
    const there = inPlace(request, region, key);
    const traced = context.telemetry?.modelCall(callOf(provider, there)) ?? null;
    const leaveKey = key?.leave;
    const leave = () => {
      leaveKey?.();
      leavePassages();
      // No report was made, so the client must have disconnected.
      traced?.end("canceled");
    };
    const report = (failure: ApiError | null) => {
      reportEnd(context, there, provider, failure);
      traced?.end(failure?.code ?? null);
    };
    try {
      const result = await run(provider, there, patience);
      return { result, provider, region, request: there, traced, report, leave };
    } catch (error) {
      leaveKey?.();
      const isAborted = request.signal.aborted;
      traced?.end(isAborted ? "canceled" : asApiError(error).code);
      const cause = error instanceof ProviderError ? error : null;
      // Once the caller has received content, the sender of that content settles its usage.
      if (payer && !attempts.hasContent && (cause ? isBilledFailure(cause) : isAborted))
        recordFailedTry(
          context,
          payer,
          { request: there, provider, nth: attempts.tries },
          cause?.spent ?? null,
        );
      if (isAborted) {
        leavePassages();
        throw error;
      }
      const failure = asApiError(error);
      const reason = attempts.hasContent ? null : reasonToGoOn(failure, runsTwice);
      const isOfKey = key !== null && cause !== null && ring?.failed(key.name, cause) === true;
      request.log.warn(
        { err: error, provider: provider.id, region, key: key?.name, reason },
        "provider failed",
      );
      trace.failed({ model: model.id, region, key: key?.name ?? null }, failure.code, cause?.status);
      attempts.failed(reason);
      const nextKey = isOfKey && attempts.mayTry && !attempts.hasContent ? (ring?.take() ?? null) : null;
      let againMs: number | null = null;
      if (!isOfKey && cause && attempts.mayTry && goesOn(provider, operation, reason)) {
        if (reason === "busy" && !hasWaited) {
          againMs = shortWaitOf(cause, provider);
          hasWaited = true;
        } else if (runsTwice && !isAskedAgain && (reason === "down" || reason === "failed")) {
          againMs = attempts.waitBeforeRetry(cause);
          isAskedAgain = true;
        }
      }
      // The breakers count only the last try at the provider.
      reportEnd(context, there, provider, failure, nextKey !== null || againMs !== null);
      if (!isOfKey) context.health.pauses.note(where, error);
      if (againMs !== null)
        await sleep(againMs, undefined, { signal: request.signal }).catch(() => undefined);
      key = nextKey ?? (againMs === null ? null : (ring?.take() ?? null));
      const mayAskAgain = nextKey !== null || (againMs !== null && (ring === null || key !== null));
      if (mayAskAgain && !request.signal.aborted) continue;
      // A 429 is not reported to the breakers, so the probe is released here.
      leavePassages();
      request.signal.throwIfAborted();
      return { failure, reason };
    }
  }
}

/** How long the route waits for a `Retry-After` before another attempt; null: it does not wait that long. */
function shortWaitOf(
  { retryAfterMs = 0 }: ProviderError,
  { waitForRetryAfterMs = 0 }: Provider,
): number | null {
  return retryAfterMs > 0 && retryAfterMs <= waitForRetryAfterMs ? retryAfterMs : null;
}

/**
 * Why a provider must not be called now: it requested a pause, or all of its keys are resting. Null: it may
 * be called.
 */
export function restOf(
  { health }: Pick<Context, "health">,
  provider: Provider,
  modelId: string,
  region: RegionName,
): ProviderError | null {
  const ring = provider.keyRing?.(region) ?? null;
  if (ring?.free().length === 0) return ring.refusal();
  return health.pauses.of({ provider: provider.id, model: modelId, region });
}

function goesOn(
  provider: Provider,
  { api_type: kind }: CatalogOperation,
  reason: GoOnReason | null,
): boolean {
  const reasons: readonly GoOnReason[] = provider.goOnWhen?.(kind) ?? usualRouteReasons([kind]);
  return reason !== null && reasons.includes(reason);
}

function callOf({ id: provider }: Provider, request: ProviderRequest): ModelCall {
  const { id: runId, accountId, model, operation, region, input } = request;
  return {
    runId,
    accountId,
    model: model.id,
    apiType: operation.api_type,
    provider,
    region,
    input,
    startsJob: operation.execution_mode === "async",
  };
}

function inPlace(request: ProviderRequest, region: RegionName, key: TakenKey | null): ProviderRequest {
  if (key) return { ...request, region, key: key.name };
  return region === request.region ? request : { ...request, region };
}

/** The error when no upstream was called, so the work may be tried again. */
function notAsked(
  code: ErrorCode,
  message: string,
  { final = false, retryAfterMs = 0 }: { final?: boolean; retryAfterMs?: number },
): ApiError {
  const wait = retryAfterMs > 0 && { retryAfterMs };
  return asApiError(new ProviderError(code, message, { started: "no", final, ...wait }));
}

/**
 * A rejected input proves that the upstream is healthy. To the breakers a 429 proves nothing, and neither
 * does an attempt that is repeated at the same provider.
 */
function reportEnd(
  context: Context,
  { model, region }: ProviderRequest,
  provider: Provider,
  failure: ApiError | null,
  isNotLast = false,
): void {
  const where = { provider: provider.id, model: model.id, region };
  counters.upstreamTries.inc({ provider: provider.id, result: failure?.code ?? "ok" });
  if (failure && (isNotLast || failure.status === 429)) {
    context.health.failed(where, failure.code, failure);
    return;
  }
  const isBroken = failure !== null && breaking.has(failure.code);
  context.catalog.report(model.id, region, isBroken ? "failure" : "success");
  const openUntil = context.providers.report(provider, region, isBroken ? "failure" : "success");
  if (provider.sandbox) return;
  if (isBroken) context.health.failed(where, failure.code, failure, openUntil);
  else if (failure === null) context.health.succeeded(where);
}

/** A provider's failure as the client sees it; unexpected errors become `internal_error`. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof ProviderError) {
    return new ApiError(error.code, error.message, {
      param: error.param,
      cause: error,
      ...(error.retryAfterMs !== undefined && { retryAfterSeconds: error.retryAfterMs / 1000 }),
    });
  }
  return new ApiError("upstream_error", "The provider failed unexpectedly. Try again.", {
    cause: error,
  });
}
