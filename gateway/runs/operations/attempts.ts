import type { GoOnReason } from "#contract/alias-constants.ts";
import { textTypes } from "#contract/operator/constants.ts";
import type { UpstreamKey } from "#contract/usage.ts";
import { type Payer, usageOfFailedTry } from "#gateway/billing/usage/lines.ts";
import { tokensIn } from "#gateway/models/providers/estimated-usage.ts";
import { recordsOf } from "#gateway/models/providers/http/read-body.ts";
import type { Provider, ProviderRequest } from "#gateway/models/providers/provider.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { counters } from "#gateway/platform/core/counters.ts";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import type { RunTrace } from "#gateway/platform/http/run-trace.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import { ModelTokensError } from "./token-rates.ts";

/** Routes tried in each region. */
const maxTriesPerRegion = 3;
/**
 * The wait before the same route is called again: a random time in this range, so that many requests do not
 * come back at once.
 */
const retryWaitMs = { min: 100, max: 300 } as const;
/** Statuses of failures that often pass quickly. */
const passingStatuses: readonly (number | undefined)[] = [500, 502, 503, 504];
/**
 * Failures without an answer that often pass quickly: no connection, a reset, an end before the first event.
 */
const passingCodes: readonly string[] = [
  "service_unavailable",
  "upstream_error",
  "upstream_stream_interrupted",
];

/** Calls the route at this place. */
export interface Ask {
  do: "ask";
  place: number;
  /** The routes tried in its region, including this one. */
  tried: number;
  /** Whether another upstream could answer instead, so that this request may probe an open breaker early. */
  isSpared: boolean;
  /** Whether the route is left when it is silent, because another upstream is free. */
  isLeftWhenSilent: boolean;
}

/** Waits, then decides again. */
export interface Wait {
  do: "wait";
  ms: number;
  /** For the end of a `Retry-After`, or for a failure to pass. Each route is waited for once of each kind. */
  until: "allowed" | "passed";
}

/** Throws the failure; null: there is no route, or the caller has left. */
export interface Stop {
  do: "stop";
  failure: ApiError | null;
}

/** A route in a region. */
export interface Route {
  readonly provider: Pick<Provider, "patience" | "waitForRetryAfterMs">;
  readonly deployment: {
    /** Whether no other region is tried after it. */
    readonly isLast: boolean;
    /** Why its breaker has refused the request; null: it has not. */
    readonly closed: ApiError | null;
    /** The number of routes in the regions after it that could be called now. */
    readonly freeElsewhere: number;
  };
  /** The number of routes after this one in its region that could be called now. */
  readonly freeBeside: number;
  /** Why its provider never runs this operation; null: it does. */
  readonly unable: ApiError | null;
  /** Why it must not be called now: its upstream requested a pause, or all of its keys are resting. */
  readonly resting: ApiError | null;
  /** False if it has several keys, and none of them can be used now. */
  readonly hasKey: boolean;
  /** The failures after which the next route may be called. */
  readonly goOnWhen: readonly GoOnReason[];
}

/** The failure of the last call. */
export interface FailedCall {
  failure: ApiError;
  cause: ProviderError | null;
  reason: GoOnReason | null;
  /** Whether only the key was refused or is at its limit. */
  isOfKey: boolean;
  hasWaited: boolean;
}

/** All facts that decide what a request does next. */
export interface RequestState {
  /** The routes in their order, region by region, from place 0. */
  route(place: number): Route | undefined;
  /** The place of the last called route; -1 before the first call. */
  readonly place: number;
  /** The routes tried in the region of that route. */
  readonly tried: number;
  readonly failed: FailedCall | null;
  /** The waits that are still allowed at that route. */
  readonly mayWait: Readonly<Record<Wait["until"], boolean>>;
  readonly attempts: Pick<Attempts, "triesLeft" | "freeLater" | "hasContent">;
  readonly runsTwice: boolean;
  readonly isCallerGone: boolean;
}

/**
 * Decides what a request does next: the rules of docs/failover.md, "When an upstream fails". The next route
 * is called only if the last one certainly did not start the work, or if the work may run twice, and if its
 * `go_on_when` allows that for such a failure. `random` returns 0 to 1.
 */
export function nextStep(state: RequestState, random = Math.random): Ask | Wait | Stop {
  const { failed, place, attempts } = state;
  const route = failed && state.route(place);
  if (!route) return nextRoute(state);
  if (state.isCallerGone) return { do: "stop", failure: null };
  if (attempts.hasContent) return { do: "stop", failure: failed.failure };
  const again = sameRoute(state, route, failed, random);
  if (again) return again;
  return goesOn(route, failed.reason) ? nextRoute(state) : { do: "stop", failure: failed.failure };
}

/**
 * Another key if one is refused or at its limit, a second call after a failure that often passes, and one after
 * a short `Retry-After` if the route waits for that.
 */
function sameRoute(
  state: RequestState,
  route: Route,
  { cause, reason, isOfKey, hasWaited }: FailedCall,
  random: () => number,
): Ask | Wait | null {
  const { place, tried, mayWait, runsTwice } = state;
  const { triesLeft } = state.attempts;
  const ask = () => (route.hasKey ? askAt(state, route, place, tried) : null);
  if (hasWaited) return ask();
  const others = reason === null ? 0 : othersFree(state, route, reason, tried);
  // Each of the others keeps one try: a provider may have more keys than a request has tries.
  if (isOfKey) return triesLeft > others ? ask() : null;
  if (!cause || !goesOn(route, reason) || triesLeft <= Math.min(1, others)) return null;
  const { retryAfterMs = 0 } = cause;
  if (reason === "busy") {
    const isShort = retryAfterMs > 0 && retryAfterMs <= (route.provider.waitForRetryAfterMs ?? 0);
    return mayWait.allowed && isShort ? { do: "wait", ms: retryAfterMs, until: "allowed" } : null;
  }
  if (!runsTwice || !mayWait.passed || !isPassing(cause)) return null;
  const { min, max } = retryWaitMs;
  return { do: "wait", ms: min + random() * (max - min), until: "passed" };
}

/** Whether a failure often passes within a second. */
function isPassing({ code, status, final, retryAfterMs, refusesKey }: ProviderError): boolean {
  if (final || retryAfterMs || refusesKey) return false;
  return status === undefined ? passingCodes.includes(code) : passingStatuses.includes(status);
}

/** The next route that can be called. */
function nextRoute(state: RequestState): Ask | Stop {
  let { place, tried } = state;
  let deployment = state.route(place)?.deployment;
  let failure = state.failed?.failure ?? null;
  for (;;) {
    place += 1;
    const route = state.route(place);
    if (!route || (failure && state.attempts.triesLeft === 0)) return { do: "stop", failure };
    if (route.deployment !== deployment) tried = 0;
    deployment = route.deployment;
    if (deployment.closed) failure ??= deployment.closed;
    if (deployment.closed || tried === maxTriesPerRegion) continue;
    const { unable, resting } = route;
    if (!unable && !resting) return askAt(state, route, place, tried + 1);
    if (unable) {
      tried += 1;
      failure = unable;
    } else if (resting) {
      failure ??= resting;
      if (!goesOn(route, reasonToGoOn(resting, state.runsTwice))) return { do: "stop", failure };
    }
  }
}

function askAt(state: RequestState, route: Route, place: number, tried: number): Ask {
  const { runsTwice, attempts } = state;
  const isSpared = runsTwice && (!route.deployment.isLast || attempts.freeLater("down") > 0);
  const mayBeLeft = runsTwice && route.provider.patience !== undefined && attempts.triesLeft > 1;
  const isLeftWhenSilent = mayBeLeft && othersFree(state, route, "slow", tried) > 0;
  return { do: "ask", place, tried, isSpared, isLeftWhenSilent };
}

/** The number of other routes, also of other models, that could be called now after such a failure. */
function othersFree(state: RequestState, route: Route, reason: GoOnReason, tried: number): number {
  const later = state.attempts.freeLater(reason);
  if (!goesOn(route, reason)) return later;
  const beside = Math.min(route.freeBeside, maxTriesPerRegion - tried);
  return beside + route.deployment.freeElsewhere + later;
}

function goesOn({ goOnWhen }: Route, reason: GoOnReason | null): boolean {
  return reason !== null && goOnWhen.includes(reason);
}

/**
 * Why another upstream may be tried after a failure before the caller got any content. Null if no other
 * upstream would help, or if the work may have started and must not run twice.
 */
export function reasonToGoOn(error: unknown, runsTwice: boolean): GoOnReason | null {
  if (!(error instanceof ApiError)) return null;
  const { code, status, cause } = error;
  if (error instanceof ModelTokensError) return status === 429 ? "busy" : "too_long";
  if (code === "budget_exceeded" || code === "not_priced") return "budget";
  if (code === "no_healthy_region" || code === "provider_not_available") return "down";
  if (!(cause instanceof ProviderError)) return code === "input_too_large" ? "too_long" : null;
  const isUnbegun = cause.started === "no";
  if (!isUnbegun && !runsTwice) return null;
  if (code === "input_too_large") return "too_long";
  if (status === 429) return "busy";
  if (status < 500) return null;
  if (code === "upstream_timeout" && cause.status === undefined) return "slow";
  return isUnbegun && cause.status !== 500 ? "down" : "failed";
}

/**
 * Whether a request may run twice: it makes only text or numbers, and uses no tools that run at the upstream.
 * Media, and work billed by the piece, are tried elsewhere only if they certainly did not begin.
 */
export function mayRunTwice({
  operation,
  input,
  native,
}: Pick<ProviderRequest, "operation" | "input" | "native">): boolean {
  if (!textTypes.includes(operation.api_type)) return false;
  if (native?.ignored.some((name) => name.startsWith("tools["))) return false;
  return recordsOf(input.tools).every(
    ({ type }) => type === undefined || type === "function" || type === "custom",
  );
}

/**
 * The attempts of one request at upstreams: over the keys and regions of a model, its routes, and the models
 * of an alias. All of them share one budget of attempts and time. An attempt ends with the first content that
 * the caller gets, or with a complete answer; until then another upstream may take over after a failure.
 * `trace` records all attempts.
 */
export class Attempts {
  readonly trace: RunTrace;
  readonly #most: { tries: number; ms: number };
  #tries = 0;
  #sinceMs = 0;
  #reason: GoOnReason | null = null;
  /** The number of routes of the alias's later models that could be called for this reason. */
  freeLater: (reason: GoOnReason) => number = () => 0;
  /** The caller can read the first content, so no other upstream may answer. */
  hasContent = false;
  /** The alias wants broken streams to be continued. */
  continuesStreams = false;
  /** The alias allows no second try at all. */
  isOnly = false;

  constructor({ config }: Pick<RunsContext, "config">, trace: RunTrace) {
    this.trace = trace;
    this.#most = { tries: config.triesPerRequest, ms: config.tryingMs };
  }

  /** The number of tries so far, including the current one. */
  get tries(): number {
    return this.#tries;
  }

  /** The tries that the budget still allows: at least the first one, and none when its time is over. */
  get triesLeft(): number {
    const { tries, ms } = this.#most;
    if (this.#tries === 0) return Math.max(1, tries);
    return performance.now() - this.#sinceMs < ms ? Math.max(0, tries - this.#tries) : 0;
  }

  get mayTry(): boolean {
    return this.triesLeft > 0;
  }

  /**
   * Call before each attempt: the first one, or after a failure the same route again, the next route, or the
   * next model.
   */
  begin(provider: string, key: UpstreamKey | null = null): void {
    if (this.#tries === 0) this.#sinceMs = performance.now();
    this.#tries += 1;
    const reason = this.#reason;
    this.#reason = null;
    if (reason !== null) {
      counters.handovers.inc({ reason });
      this.trace.handedOver(reason);
    }
    this.trace.tried(provider, key);
  }

  /**
   * The last attempt failed, or a model was skipped without an attempt; `reason`: why another upstream may be
   * tried.
   */
  failed(reason: GoOnReason | null): void {
    this.#reason = reason;
  }
}

/**
 * Records the operator's cost of a failed attempt of which the caller got no answer: the usage that the
 * upstream reported or that its partial answer shows, otherwise an estimate of the input.
 */
export function recordFailedTry(
  { meter, prices }: RunsContext,
  payer: Payer,
  failed: { request: ProviderRequest; provider: Provider; nth: number },
  spent: ProviderError["spent"],
): void {
  const { operation, input } = failed.request;
  if (operation.billing_unit !== "token") return;
  const estimated = () => {
    const prompt = tokensIn([input.messages ?? input.input]);
    return { prompt_tokens: prompt, total_tokens: prompt };
  };
  const usage = usageOfFailedTry(prices.book, payer, failed, spent ?? estimated());
  if (usage) meter.add({ runId: usage.runId, usage, reserved: false });
}

/** Whether the upstream may bill a failed try: it was reached and did not answer with an error status. */
export function isBilledFailure({ started, status }: ProviderError): boolean {
  return started !== "no" && status === undefined;
}
