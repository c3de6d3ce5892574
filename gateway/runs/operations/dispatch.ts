import { setTimeout as sleep } from "node:timers/promises";
import type { GoOnReason } from "#contract/alias-constants.ts";
import type { RegionName } from "#contract/catalog.ts";
import type { ErrorCode } from "#contract/error.ts";
import { type KeyChoice, usualRouteReasons } from "#contract/operator/constants.ts";
import { StoreFullError } from "#gateway/files/storage/store-room.ts";
import type { Conversation } from "#gateway/models/providers/conversation.ts";
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
import type { RunsContext } from "#gateway/runs/context.ts";
import type { Admitted } from "./admit.ts";
import {
  type Ask,
  type Attempts,
  type FailedCall,
  isBilledFailure,
  mayRunTwice,
  nextStep,
  type RequestState,
  type Route,
  reasonToGoOn,
  recordFailedTry,
  type Stop,
  type Wait,
} from "./attempts.ts";
import type { ProviderCall } from "./upstream-chat.ts";

/** The work to run in `request.region` or, if it cannot start there, in another region. */
export interface Dispatch<Result> {
  request: ProviderRequest;
  /**
   * The admitted request: its other regions, the routes at that time, and the caller, for recording the cost of
   * failed attempts. Not set for work that is never repeated once it may have started.
   */
  admitted?: Admitted;
  /** The regions of work without an admitted request, and its routes if it has wishes about them. */
  otherRegions?: readonly RegionName[];
  routes?: Routes;
  /** An accepted run must start, so the first region is tried even if its breaker is open. */
  isAccepted?: boolean;
  /** Which providers may be tried; all of the routes if not set. */
  accepts?(provider: Provider): boolean;
  /** The request's budget of attempts, and the record of each attempt. */
  attempts: Attempts;
  /** Extracts the part of a result that the trace records. */
  told?(result: Result): ModelAnswer;
  run(call: ProviderCall): Promise<Result>;
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
export async function dispatch<Result>(
  context: RunsContext,
  order: Dispatch<Result>,
): Promise<Served<Result>> {
  const begun = await begin(context, order);
  order.attempts.trace.answered();
  if (begun.traced && order.told) begun.traced.answered(order.told(begun.result));
  begun.report(null);
  begun.leave();
  return begun;
}

/**
 * Calls the providers of the operation as `nextStep` decides, until one of them begins to answer. Throws the
 * last failure with a code of the contract, the abort's error if the request was aborted, and the database's
 * own error.
 */
export async function begin<Result>(context: RunsContext, order: Dispatch<Result>): Promise<Begun<Result>> {
  const course = new Course(context, order);
  for (;;) {
    const step = nextStep(course);
    course.settle(step);
    if (step.do === "stop") throw step.failure ?? course.withoutAnswer();
    if (step.do === "wait") await course.wait(step);
    else {
      const begun = await course.ask(step);
      if (begun) return begun;
    }
  }
}

/** The way of one request over the routes of a model. */
class Course<Result> implements RequestState {
  readonly #context: RunsContext;
  readonly #order: Dispatch<Result>;
  readonly #regions: RegionName[];
  readonly #places: Place[] = [];
  #probe: Passage | null = null;
  #isReported = false;
  readonly attempts: Attempts;
  readonly runsTwice: boolean;
  place = -1;
  tried = 0;
  failed: FailedCall | null = null;
  mayWait = { allowed: true, passed: true };

  constructor(context: RunsContext, order: Dispatch<Result>) {
    const { request, admitted, otherRegions = admitted?.otherRegions ?? [] } = order;
    this.#context = context;
    this.#order = order;
    this.#regions = [request.region, ...otherRegions];
    this.attempts = order.attempts;
    this.runsTwice = mayRunTwice(request);
  }

  get isCallerGone(): boolean {
    return this.#order.request.signal.aborted;
  }

  /** A region's routes are put in order when the first of them is needed. */
  route(place: number): Place | undefined {
    while (place >= this.#places.length) {
      const region = this.#regions.shift();
      if (region === undefined) break;
      const deployment = new Deployment(this.#context, this.#order, region, [...this.#regions]);
      this.#places.push(...deployment.places.filter(({ isAccepted }) => isAccepted));
    }
    return this.#places[place];
  }

  async wait({ ms, until }: Wait): Promise<void> {
    this.mayWait[until] = false;
    if (this.failed) this.failed.hasWaited = true;
    await sleep(ms, undefined, { signal: this.#order.request.signal }).catch(() => undefined);
  }

  /** Calls a provider. Null: it failed, or the breaker of its deployment let no request pass. */
  async ask(step: Ask): Promise<Begun<Result> | null> {
    const context = this.#context;
    const { attempts } = this;
    const { request, run } = this.#order;
    const called = this.route(step.place) as Place;
    const { provider, deployment } = called;
    if (!deployment.enter(step.isSpared)) return null;
    const { region } = deployment;
    if (step.place !== this.place) {
      this.#probe = context.providers.breaker(provider, region)?.enter(true) ?? null;
      this.place = step.place;
      this.tried = step.tried;
      // A provider whose breaker is not closed is called only once.
      const isClosed = !deployment.isProbed && this.#probe?.isProbe === false;
      this.mayWait = { allowed: true, passed: isClosed && !attempts.isOnly };
    }
    const probe = this.#probe;
    const conversation = provider.drawsAnew ? undefined : request.conversation;
    const key = provider.keyRing?.(region)?.take(conversation) ?? null;
    const { mayHaveRun } = attempts.trace;
    const chosen = key && this.#choiceOf(called, key, conversation);
    if (chosen) counters.keyChoices.inc({ provider: provider.id, choice: chosen });
    attempts.begin(provider.id, key && chosen && { name: key.name, chosen });
    const placed = inPlace(request, region, key);
    const traced = context.telemetry?.modelCall(callOf(provider, placed)) ?? null;
    const there = traced ? { ...placed, trace: () => traced.headers() } : placed;
    const leave = () => {
      key?.leave();
      probe?.leave();
      deployment.leave();
      // No report was made, so the client must have disconnected.
      traced?.end("canceled");
    };
    const report = (failure: ApiError | null) => {
      called.report(failure);
      deployment.isOver();
      traced?.end(failure?.code ?? null);
    };
    const answers = () => deployment.answers();
    const patience = step.isLeftWhenSilent ? provider.patience : null;
    const limit = patience ? { ...patience, mayHandOver: () => attempts.mayTry } : null;
    try {
      const result = await run({ provider, request: there, limit, answers });
      return { result, provider, region, request: there, traced, report, leave };
    } catch (error) {
      key?.leave();
      if (!request.signal.aborted) traced?.end(asApiError(error).code);
      if (error instanceof ProviderError && error.started === "no") attempts.trace.mayHaveRun = mayHaveRun;
      this.#recordCost(there, provider, error);
      // A full store says nothing about the upstream: this machine has no room.
      if (request.signal.aborted || error instanceof StoreFullError || isOfDatabase(error)) {
        leave();
        throw error;
      }
      this.#fail(there, provider, error);
      return null;
    }
  }

  /** Why this key of this route is used for the request. */
  #choiceOf({ deployment, provider }: Place, key: TakenKey, conversation?: Conversation): KeyChoice {
    if (!conversation) return "drawn";
    const { model, operation, region } = this.#order.request;
    const favourite = routesOf(this.#context, this.#order).favourite(model, operation, region, conversation);
    const isFavourite = provider === favourite && deployment.region === region;
    return isFavourite && key.isFavourite ? "stays" : "favourite_resting";
  }

  /** Once the caller has received content, the sender of that content settles its usage. */
  #recordCost(request: ProviderRequest, provider: Provider, error: unknown): void {
    const { attempts } = this;
    const { admitted } = this.#order;
    const isUpstreams = error instanceof ProviderError;
    const isBilled = isUpstreams ? isBilledFailure(error) : request.signal.aborted;
    if (!admitted || attempts.hasContent || !isBilled) return;
    const failed = { request, provider, nth: attempts.tries };
    recordFailedTry(this.#context, admitted, failed, isUpstreams ? error.spent : null);
  }

  #fail({ model, region, key, log }: ProviderRequest, provider: Provider, error: unknown): void {
    const { attempts } = this;
    const failure = asApiError(error);
    const cause = error instanceof ProviderError ? error : null;
    const reason = attempts.hasContent ? null : reasonToGoOn(failure, this.runsTwice);
    const isOfKey =
      key !== undefined && cause !== null && provider.keyRing?.(region)?.failed(key, cause) === true;
    log.warn({ err: error, provider: provider.id, region, key, reason }, "provider failed");
    attempts.trace.failed({ model: model.id, region, key: key ?? null }, failure.code, cause?.status);
    attempts.failed(reason);
    if (!isOfKey) this.#context.health.pauses.note({ provider: provider.id, model: model.id, region }, error);
    this.failed = { failure, cause, reason, isOfKey, hasWaited: false };
    this.#isReported = false;
  }

  /** Reports the last failure. The breakers count only the last try at a provider. */
  settle(step: Ask | Wait | Stop): void {
    const { failed, place } = this;
    const last = failed && this.route(place);
    if (!last) return;
    const next = step.do === "stop" ? null : step.do === "wait" ? last : this.route(step.place);
    if (!this.#isReported) last.report(failed.failure, next === last);
    this.#isReported = true;
    if (next === last) return;
    // A 429 is not reported to the breakers, so the probe is released here.
    this.#probe?.leave();
    if (next?.deployment !== last.deployment) last.deployment.isOver();
  }

  /** The error if no upstream failed: the caller has left, or there is no route. */
  withoutAnswer(): ApiError {
    const { signal, model, region } = this.#order.request;
    signal.throwIfAborted();
    const message = `${model.id} is not served in ${region} by this gateway.`;
    return notAsked("service_unavailable", message, { final: true });
  }
}

/**
 * One request at a model in a region, for the breaker of this deployment. It works if any of its routes does:
 * a route that fails before another one is called is known only to the breaker of its provider.
 */
class Deployment {
  readonly region: RegionName;
  readonly places: readonly Place[];
  closed: ApiError | null = null;
  readonly context: RunsContext;
  readonly order: Dispatch<unknown>;
  readonly #later: readonly RegionName[];
  #failed: Set<Provider> | null = null;
  #passage: Passage | null = null;
  #isReported = false;

  /** `later`: the regions that are tried after this one. */
  constructor(
    context: RunsContext,
    order: Dispatch<unknown>,
    region: RegionName,
    later: readonly RegionName[],
  ) {
    this.context = context;
    this.order = order;
    this.region = region;
    this.#later = later;
    this.places = this.#placesIn(region);
  }

  get isLast(): boolean {
    return this.#later.length === 0;
  }

  get freeElsewhere(): number {
    const { healthy_regions: healthy } = this.order.request.model;
    const later = this.#later.filter((region) => healthy.includes(region));
    return later.flatMap((region) => this.#placesIn(region).filter(({ isFree }) => isFree)).length;
  }

  #placesIn(region: RegionName, routes = routesOf(this.context, this.order)): Place[] {
    const { model, operation, conversation } = this.order.request;
    const providers = routes.route(model, operation, region, conversation);
    return providers.map((provider) => new Place(this, provider, region));
  }

  /** Whether its breaker lets the request pass; if not, `closed` says why. */
  enter(isSpared: boolean): boolean {
    const { catalog } = this.context;
    const { request, isAccepted } = this.order;
    const { model, operation } = request;
    const routes = routesOf(this.context, this.order);
    const isRouteFree = () => routes.isRouteFree(model, operation, this.region);
    this.#passage ??= catalog.enter(model.id, this.region, isSpared, isRouteFree);
    if (this.#passage || (isAccepted && this.region === request.region)) return true;
    const refused = catalog.pickRegion(model, this.region, null);
    const message = `${model.id} is not healthy in ${this.region} now. Try again later.`;
    this.closed = notAsked("no_healthy_region", message, "retryAfterMs" in refused ? refused : {});
    return false;
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

  /**
   * No other route is called: the deployment has failed if none of its routes can work now, also of those that
   * the request did not wish.
   */
  isOver(): void {
    this.leave();
    const failed = this.#failed;
    if (this.#isReported || failed === null) return;
    const all = this.#placesIn(this.region, routesOf(this.context, this.order).unwished);
    if (!all.some(({ provider, mayWork }) => !failed.has(provider) && mayWork)) this.#report("failure");
  }

  #report(outcome: "success" | "failure"): void {
    this.#isReported = true;
    this.context.catalog.report(this.order.request.model.id, this.region, outcome);
  }
}

function routesOf({ providers }: RunsContext, { admitted, routes }: Dispatch<unknown>): Routes {
  return admitted?.routes ?? routes ?? providers;
}

/** Upstream failures caused by the deployment, not by the request. */
const breaking = new Set<ErrorCode>([
  "upstream_error",
  "upstream_timeout",
  "upstream_invalid_response",
  "upstream_stream_interrupted",
  "service_unavailable",
]);

/** A provider that runs the operation in a region. */
class Place implements Route {
  readonly deployment: Deployment;
  readonly provider: Provider;
  readonly #region: RegionName;

  constructor(deployment: Deployment, provider: Provider, region: RegionName) {
    this.deployment = deployment;
    this.provider = provider;
    this.#region = region;
  }

  get isAccepted(): boolean {
    return this.deployment.order.accepts?.(this.provider) !== false;
  }

  get unable(): ApiError | null {
    const { model, operation } = this.deployment.order.request;
    const support = this.provider.supports(operation, model);
    return support.ok ? null : notAsked("service_unavailable", support.reason, { final: true });
  }

  get resting(): ApiError | null {
    const { context, order } = this.deployment;
    const rest = restOf(context, this.provider, order.request.model.id, this.#region);
    return rest && asApiError(rest);
  }

  get hasKey(): boolean {
    const ring = this.provider.keyRing?.(this.#region) ?? null;
    return ring === null || ring.free().length > 0;
  }

  get goOnWhen(): readonly GoOnReason[] {
    const { api_type: kind } = this.deployment.order.request.operation;
    return this.provider.goOnWhen?.(kind) ?? usualRouteReasons([kind]);
  }

  get freeBeside(): number {
    const { places } = this.deployment;
    return places.slice(places.indexOf(this) + 1).filter(({ isFree }) => isFree).length;
  }

  /** Whether it could be called now for this work. */
  get isFree(): boolean {
    const { context, order } = this.deployment;
    if (!this.isAccepted || this.unable) return false;
    return mayBeCalled(context, this.provider, order.request.model.id, this.#region);
  }

  /** Whether it could answer now, or once its rate limit allows it. */
  get mayWork(): boolean {
    const { resting, unable } = this;
    if (unable) return false;
    if (resting) return resting.code === "upstream_rate_limited";
    return !isDown(this.deployment.context, this.provider, this.#region);
  }

  /**
   * Reports the end of a call. A rejected input proves that the upstream is healthy. To the breakers a 429
   * proves nothing, and neither does a call that is repeated at the same provider.
   */
  report(failure: ApiError | null, isRepeated = false): void {
    const { deployment, provider } = this;
    const { health, providers } = deployment.context;
    const where = { provider: provider.id, model: deployment.order.request.model.id, region: this.#region };
    counters.upstreamTries.inc({ provider: provider.id, result: failure?.code ?? "ok" });
    if (failure && (isRepeated || failure.status === 429)) {
      health.failed(where, failure.code, failure);
      return;
    }
    const isBroken = failure !== null && breaking.has(failure.code);
    if (isBroken) deployment.hasFailed(provider);
    else deployment.answers();
    const breaker = providers.breaker(provider, this.#region);
    breaker?.report(isBroken ? "failure" : "success");
    if (provider.sandbox) return;
    if (isBroken) health.failed(where, failure.code, failure, breaker?.reopensAt);
    else if (failure === null) health.succeeded(where);
  }
}

/** Whether a provider does not rest and its breaker is not open. */
export function mayBeCalled(
  context: RunsContext,
  provider: Provider,
  modelId: string,
  region: RegionName,
): boolean {
  return restOf(context, provider, modelId, region) === null && !isDown(context, provider, region);
}

function isDown({ providers }: RunsContext, provider: Provider, region: RegionName): boolean {
  return providers.breaker(provider, region)?.status === "unhealthy";
}

/**
 * Why a provider must not be called now: it requested a pause, or all of its keys are resting. Null: it may
 * be called.
 */
function restOf(
  { health }: Pick<RunsContext, "health">,
  provider: Provider,
  modelId: string,
  region: RegionName,
): ProviderError | null {
  const ring = provider.keyRing?.(region) ?? null;
  if (ring?.free().length === 0) return ring.refusal();
  return health.pauses.of({ provider: provider.id, model: modelId, region });
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

/** Whether the gateway's database failed during a run, and no provider. */
export function isOfDatabase(error: unknown): boolean {
  const own = error instanceof ApiError ? error.cause : error;
  return !(own instanceof ProviderError) && isDatabaseFailure(own);
}

/** The failure of a run as the client sees it. */
export function asApiError(error: unknown, database?: RunsContext["database"]): ApiError {
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
