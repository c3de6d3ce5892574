import { setTimeout as sleep } from "node:timers/promises";
import type { GoOnReason } from "#contract/alias-constants.ts";
import type { CatalogOperation, RegionName } from "#contract/catalog.ts";
import type { ErrorCode } from "#contract/error.ts";
import { usualRouteReasons } from "#contract/operator/constants.ts";
import type { Payer } from "#gateway/billing/usage/lines.ts";
import type { Context } from "#gateway/context.ts";
import { StoreFullError } from "#gateway/files/storage/store-room.ts";
import type { Provider, ProviderRequest } from "#gateway/models/providers/provider.ts";
import type { Routes } from "#gateway/models/providers/providers.ts";
import type { TakenKey } from "#gateway/models/providers/upstreams/key-ring.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Passage } from "#gateway/platform/core/breaker.ts";
import { counters } from "#gateway/platform/core/counters.ts";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import { isDatabaseFailure } from "#gateway/platform/database/failed-query.ts";
import { toApiError } from "#gateway/platform/http/errors.ts";
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
  /** Call at the first content: the deployment works, however the answer ends. */
  answers(): void;
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
  const { request, routes = context.providers } = order;
  const { model, operation } = request;
  const regions = [request.region, ...order.otherRegions];
  const runsTwice = mayRunTwice(request);
  let last: ApiError | null = null;
  for (const [at, region] of regions.entries()) {
    const deployment = new Deployment(context, request, region, routes.route(model, operation, region));
    const freeElsewhere = (): number =>
      regions
        .slice(at + 1)
        .filter((there) => model.healthy_regions.includes(there))
        .flatMap((there) =>
          routes.route(model, operation, there).filter((one) => isFree(context, order, one, there)),
        ).length;
    const left: Left = { last, runsTwice, isLast: at + 1 === regions.length, freeElsewhere };
    try {
      const done = await tryRegion(context, order, deployment, left);
      if ("result" in done) return done;
      deployment.isOver();
      last = done.failure;
      if (done.isFinal) break;
    } catch (error) {
      deployment.leave();
      throw error;
    }
  }
  throw (
    last ??
    notAsked("service_unavailable", `${model.id} is not served in ${request.region} by this gateway.`, {
      final: true,
    })
  );
}

/**
 * One request at a model in a region, for the breaker of this deployment. It works if any of its routes does:
 * a route that fails before another one is called is known only to the breaker of its provider.
 */
class Deployment {
  readonly region: RegionName;
  readonly providers: readonly Provider[];
  readonly #context: Context;
  readonly #request: ProviderRequest;
  #failed: Set<Provider> | null = null;
  #passage: Passage | null = null;
  #isReported = false;

  constructor(
    context: Context,
    request: ProviderRequest,
    region: RegionName,
    providers: readonly Provider[],
  ) {
    this.#context = context;
    this.#request = request;
    this.region = region;
    this.providers = providers;
  }

  /** Whether its breaker lets the request pass. */
  enter(isSpared: boolean): boolean {
    const { catalog, providers } = this.#context;
    const { model, operation } = this.#request;
    const isRouteFree = () => providers.isRouteFree(model, operation, this.region);
    this.#passage ??= catalog.enter(model.id, this.region, isSpared, isRouteFree);
    return this.#passage !== null;
  }

  get isProbed(): boolean {
    return this.#passage?.isProbe === true;
  }

  leave(): void {
    this.#passage?.leave();
  }

  /** A route has begun to answer, or refused the input. */
  answers(): void {
    if (!this.#isReported) this.#report("success");
  }

  hasFailed(provider: Provider): void {
    this.#failed ??= new Set();
    this.#failed.add(provider);
  }

  /** No other route is called: the deployment has failed if none of its routes can work now. */
  isOver(): void {
    this.leave();
    const failed = this.#failed;
    if (this.#isReported || failed === null) return;
    if (!this.providers.some((one) => !failed.has(one) && this.#mayWork(one))) this.#report("failure");
  }

  #mayWork(provider: Provider): boolean {
    const { model, operation } = this.#request;
    if (!provider.supports(operation, model).ok) return false;
    const rest = restOf(this.#context, provider, model.id, this.region);
    if (rest) return rest.code === "upstream_rate_limited";
    return !isDown(this.#context, provider, this.region);
  }

  #report(outcome: "success" | "failure"): void {
    this.#isReported = true;
    this.#context.catalog.report(this.#request.model.id, this.region, outcome);
  }
}

/** What a region can leave to others, and the failure so far. */
interface Left {
  last: ApiError | null;
  runsTwice: boolean;
  isLast: boolean;
  /** The number of routes in the remaining regions that could be called now. */
  freeElsewhere(): number;
}

/** Tries the providers of one region. `isFinal`: the failure does not allow another region. */
async function tryRegion<Result>(
  context: Context,
  order: Dispatch<Result>,
  deployment: Deployment,
  { last, runsTwice, isLast, freeElsewhere }: Left,
): Promise<Begun<Result> | { failure: ApiError | null; isFinal: boolean }> {
  const { request, attempts } = order;
  const { model, operation } = request;
  const { region, providers } = deployment;
  let failure = last;
  let tried = 0;
  for (const [place, provider] of providers.entries()) {
    if (tried >= maxTriesPerRegion || (failure && !attempts.mayTry)) break;
    if (order.accepts?.(provider) === false) continue;
    const support = provider.supports(operation, model);
    if (!support.ok) {
      tried += 1;
      failure = notAsked("service_unavailable", support.reason, { final: true });
      continue;
    }
    const rest = restOf(context, provider, model.id, region);
    if (rest) {
      const resting = asApiError(rest);
      failure ??= resting;
      if (!goesOn(provider, operation, reasonToGoOn(resting, runsTwice))) return { failure, isFinal: true };
      continue;
    }
    const isSpared = runsTwice && (!isLast || attempts.freeLater("down") > 0);
    if (!deployment.enter(isSpared) && !(order.isAccepted && region === request.region)) {
      const refused = context.catalog.pickRegion(model, region, null);
      failure ??= notAsked(
        "no_healthy_region",
        `${model.id} is not healthy in ${region} now. Try again later.`,
        "retryAfterMs" in refused ? refused : {},
      );
      break;
    }
    tried += 1;
    const othersFree = (reason: GoOnReason): number => {
      const later = attempts.freeLater(reason);
      if (!goesOn(provider, operation, reason)) return later;
      const beside = providers.slice(place + 1).filter((other) => isFree(context, order, other, region));
      return Math.min(beside.length, maxTriesPerRegion - tried) + freeElsewhere() + later;
    };
    const done = await ask(context, order, { provider, deployment, runsTwice, othersFree });
    if ("result" in done) return done;
    failure = done.failure;
    if (!goesOn(provider, operation, done.reason)) return { failure, isFinal: true };
  }
  return { failure, isFinal: false };
}

/** Whether a provider could be called now for this work. */
function isFree<Result>(
  context: Context,
  { request: { model, operation }, accepts }: Dispatch<Result>,
  provider: Provider,
  region: RegionName,
): boolean {
  if (accepts?.(provider) === false || !provider.supports(operation, model).ok) return false;
  return mayBeCalled(context, provider, model.id, region);
}

/** Whether a provider does not rest and its breaker is not open. */
export function mayBeCalled(
  context: Context,
  provider: Provider,
  modelId: string,
  region: RegionName,
): boolean {
  return restOf(context, provider, modelId, region) === null && !isDown(context, provider, region);
}

function isDown({ providers }: Context, provider: Provider, region: RegionName): boolean {
  return providers.breaker(provider, region)?.status === "unhealthy";
}

/** One provider in one region to try. */
interface Place {
  provider: Provider;
  deployment: Deployment;
  runsTwice: boolean;
  /** The number of other routes, also of other models, that could be called now after such a failure. */
  othersFree(reason: GoOnReason): number;
}

/** A provider that did not answer, and why another one may be tried. */
interface Failed {
  failure: ApiError;
  reason: GoOnReason | null;
}

/**
 * Calls one provider. Calls it again with another of its keys if one is refused or at its limit, once more
 * after a failure that often passes, and once more after a short `Retry-After` if its route waits for that.
 * Throws the abort's error if the request was aborted, and the database's own error.
 */
async function ask<Result>(
  context: Context,
  { request, attempts, run, payer }: Dispatch<Result>,
  { provider, deployment, runsTwice, othersFree }: Place,
): Promise<Begun<Result> | Failed> {
  const { model, operation } = request;
  const { region } = deployment;
  const { trace } = attempts;
  const where = { provider: provider.id, model: model.id, region };
  const ring = provider.keyRing?.(region) ?? null;
  const mayBeLeft = runsTwice && provider.patience !== undefined && attempts.mayTryBefore(1);
  const limit: SilenceLimit | null =
    mayBeLeft && othersFree("slow") > 0
      ? { ...provider.patience, mayHandOver: () => attempts.mayTry, answers: () => deployment.answers() }
      : null;
  const probe = context.providers.breaker(provider, region)?.enter(true) ?? null;
  let key = ring?.take() ?? null;
  // A provider whose breaker is not closed is called only once.
  let isAskedAgain = deployment.isProbed || probe?.isProbe !== false;
  let hasWaited = false;
  for (;;) {
    const { mayHaveRun } = trace;
    attempts.begin(provider.id);
    const there = inPlace(request, region, key);
    const traced = context.telemetry?.modelCall(callOf(provider, there)) ?? null;
    const leaveKey = key?.leave;
    const leave = () => {
      leaveKey?.();
      probe?.leave();
      deployment.leave();
      // No report was made, so the client must have disconnected.
      traced?.end("canceled");
    };
    const answers = () => deployment.answers();
    const report = (failure: ApiError | null) => {
      reportEnd(context, there, deployment, provider, failure);
      deployment.isOver();
      traced?.end(failure?.code ?? null);
    };
    try {
      const result = await run(provider, there, limit);
      return { result, provider, region, request: there, traced, answers, report, leave };
    } catch (error) {
      leaveKey?.();
      if (error instanceof StoreFullError) {
        // Nothing about the upstream: this machine has no room.
        probe?.leave();
        deployment.leave();
        traced?.end(error.code);
        throw error;
      }
      const isAborted = request.signal.aborted;
      traced?.end(isAborted ? "canceled" : asApiError(error).code);
      const cause = error instanceof ProviderError ? error : null;
      if (cause?.started === "no") trace.mayHaveRun = mayHaveRun;
      // Once the caller has received content, the sender of that content settles its usage.
      if (payer && !attempts.hasContent && (cause ? isBilledFailure(cause) : isAborted))
        recordFailedTry(
          context,
          payer,
          { request: there, provider, nth: attempts.tries },
          cause?.spent ?? null,
        );
      if (isAborted || isOfDatabase(error)) {
        probe?.leave();
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
      const others = reason === null ? 0 : othersFree(reason);
      // Each of the others keeps one try: a provider may have more keys than a request has tries.
      const mayTakeNext = isOfKey && !attempts.hasContent && attempts.mayTryBefore(others);
      const nextKey = mayTakeNext ? (ring?.take() ?? null) : null;
      let againMs: number | null = null;
      const mayRepeat = !isOfKey && attempts.mayTryBefore(Math.min(1, others));
      if (mayRepeat && cause && goesOn(provider, operation, reason)) {
        if (reason === "busy" && !hasWaited) {
          againMs = shortWaitOf(cause, provider);
          hasWaited = true;
        } else if (runsTwice && !isAskedAgain && (reason === "down" || reason === "failed")) {
          againMs = attempts.waitBeforeRetry(cause);
          isAskedAgain = true;
        }
      }
      // The breakers count only the last try at the provider.
      reportEnd(context, there, deployment, provider, failure, nextKey !== null || againMs !== null);
      if (!isOfKey) context.health.pauses.note(where, error);
      if (againMs !== null)
        await sleep(againMs, undefined, { signal: request.signal }).catch(() => undefined);
      key = nextKey ?? (againMs === null ? null : (ring?.take() ?? null));
      const mayAskAgain = nextKey !== null || (againMs !== null && (ring === null || key !== null));
      if (mayAskAgain && !request.signal.aborted) continue;
      // A 429 is not reported to the breakers, so the probe is released here.
      probe?.leave();
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
function restOf(
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
  deployment: Deployment,
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
  if (isBroken) deployment.hasFailed(provider);
  else deployment.answers();
  const breaker = context.providers.breaker(provider, region);
  breaker?.report(isBroken ? "failure" : "success");
  if (provider.sandbox) return;
  if (isBroken) context.health.failed(where, failure.code, failure, breaker?.reopensAt);
  else if (failure === null) context.health.succeeded(where);
}

/** Whether the gateway's database failed during a run, and no provider. */
export function isOfDatabase(error: unknown): boolean {
  const own = error instanceof ApiError ? error.cause : error;
  return !(own instanceof ProviderError) && isDatabaseFailure(own);
}

/** The failure of a run as the client sees it. */
export function asApiError(error: unknown, database?: Context["database"]): ApiError {
  if (error instanceof ApiError) return error;
  if (isOfDatabase(error)) return toApiError(error, database, true);
  if (error instanceof ProviderError) {
    return new ApiError(error.code, error.message, {
      param: error.param,
      cause: error,
      ...(error.retryAfterMs !== undefined && { retryAfterSeconds: error.retryAfterMs / 1000 }),
    });
  }
  return new ApiError("upstream_error", "The provider failed unexpectedly.", {
    cause: error,
  });
}
