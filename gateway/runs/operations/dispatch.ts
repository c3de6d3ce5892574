import type { RegionName } from "#contract/catalog.ts";
import type { ErrorCode } from "#contract/error.ts";
import { type RouteReason, usualRouteReasons } from "#contract/operator/constants.ts";
import type { Context } from "#gateway/context.ts";
import type { Provider, ProviderRequest } from "#gateway/models/providers/provider.ts";
import type { Routes } from "#gateway/models/providers/providers.ts";
import type { TakenKey } from "#gateway/models/providers/upstreams/key-ring.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Passage } from "#gateway/platform/core/breaker.ts";
import { counters } from "#gateway/platform/core/counters.ts";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import type { RunTrace } from "#gateway/platform/http/run-trace.ts";
import type { BegunCall, ModelAnswer, ModelCall } from "#gateway/platform/telemetry/telemetry.ts";

/** Upstream failures caused by the deployment, not by the request. */
const breaking = new Set<ErrorCode>([
  "upstream_error",
  "upstream_timeout",
  "upstream_invalid_response",
  "upstream_stream_interrupted",
  "service_unavailable",
]);

/** How many providers are tried per region and in total, if each certainly did not start. */
const maxAttempts = { region: 3, total: 6 } as const;

/** What is to run, in `request.region` or, if it cannot start there, in one of the others. */
export interface Dispatch<Result> {
  request: ProviderRequest;
  otherRegions: readonly RegionName[];
  /** Who runs what, as its request took it; as it is now if it took nothing. */
  routes?: Routes;
  /** It was promised when it was accepted: the first region is asked whatever its breaker says. */
  isAccepted?: boolean;
  /** Is told of each try. */
  trace: RunTrace;
  /** What a trace says of a result. */
  told?(result: Result): ModelAnswer;
  run(provider: Provider, request: ProviderRequest): Promise<Result>;
}

export interface Served<Result> {
  result: Result;
  provider: Provider;
  region: RegionName;
  /** As it ran: in that region. */
  request: ProviderRequest;
  /** Its part of the trace; null without one. */
  traced: BegunCall | null;
}

/** The start of a streamed answer. */
export interface Begun<Result> extends Served<Result> {
  /** Call once, at its end: tells the breakers of the upstream and of the deployment whether it failed. */
  report(failure: ApiError | null): void;
  /** Call it at the end in any case: without a report the next request may probe. */
  leave(): void;
}

/** Tries the providers of the operation (see `begin`) for a complete answer. */
export async function dispatch<Result>(context: Context, order: Dispatch<Result>): Promise<Served<Result>> {
  const begun = await begin(context, order);
  order.trace.answered();
  if (begun.traced && order.told) begun.traced.answered(order.told(begun.result));
  begun.report(null);
  begun.leave();
  return begun;
}

/**
 * Tries the providers of the operation in order, region by region. The next one is tried only when the one before
 * certainly did not start the work (docs/api.md, "Upstream rules") and its route goes on for such a failure, another region only while
 * its deployment is healthy. One that asked for a pause by Retry-After is not asked meanwhile. Of several keys of a provider the next one is
 * tried when one is refused or at its limit. Throws the last failure in the contract's codes.
 */
export async function begin<Result>(context: Context, order: Dispatch<Result>): Promise<Begun<Result>> {
  const { request, run, trace, routes = context.providers } = order;
  const { model, operation } = request;
  let last: ApiError | null = null;
  let attempts = 0;
  for (const region of [request.region, ...order.otherRegions]) {
    if (attempts >= maxAttempts.total) break;
    let passage: Passage | null = null;
    let tried = 0;
    for (const provider of routes.route(model, operation, region)) {
      if (tried >= maxAttempts.region) break;
      const support = provider.supports(operation, model);
      if (!support.ok) {
        tried += 1;
        last = notAsked("service_unavailable", support.reason, { final: true });
        continue;
      }
      const where = { provider: provider.id, model: model.id, region };
      const ring = provider.keyRing?.(region) ?? null;
      const pause = ring?.free().length === 0 ? ring.refusal() : context.health.pauses.of(where);
      if (pause) {
        last ??= asApiError(pause);
        if (!goesOn(provider, asApiError(pause))) throw last;
        continue;
      }
      passage ??= context.catalog.enter(model.id, region);
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
      let key = ring?.take() ?? null;
      for (;;) {
        attempts += 1;
        trace.tried(provider.id);
        const there = inPlace(request, region, key);
        const traced = context.telemetry?.modelCall(callOf(provider, there)) ?? null;
        const leaveKey = key?.leave;
        const leave = () => {
          leaveKey?.();
          passage?.leave();
          // One that was not reported was left by its client.
          traced?.end("canceled");
        };
        const report = (failure: ApiError | null) => {
          reportEnd(context, there, provider, failure);
          traced?.end(failure?.code ?? null);
        };
        try {
          const result = await run(provider, there);
          return { result, provider, region, request: there, traced, report, leave };
        } catch (error) {
          leaveKey?.();
          traced?.end(request.signal.aborted ? "canceled" : asApiError(error).code);
          if (request.signal.aborted) {
            passage?.leave();
            throw error;
          }
          const failure = asApiError(error);
          const isOfKey =
            key !== null && error instanceof ProviderError && ring?.failed(key.name, error) === true;
          request.log.warn({ err: error, provider: provider.id, region, key: key?.name }, "provider failed");
          trace.failed(
            { model: model.id, region, key: key?.name ?? null },
            failure.code,
            error instanceof ProviderError ? error.status : undefined,
          );
          last = failure;
          const next = isOfKey && attempts < maxAttempts.total ? (ring?.take() ?? null) : null;
          reportEnd(context, there, provider, failure, next !== null);
          if (next) {
            key = next;
            continue;
          }
          // A 429 was not reported to it.
          passage?.leave();
          if (!isOfKey) context.health.pauses.note(where, error);
          if (!(error instanceof ProviderError && error.started === "no" && goesOn(provider, failure)))
            throw failure;
          break;
        }
      }
    }
  }
  throw (
    last ??
    notAsked("service_unavailable", `${model.id} is not served in ${request.region} by this gateway.`, {
      final: true,
    })
  );
}

/** Why another upstream may be asked, when this one certainly did not begin; null: another would not help. */
function reasonToGoOn({ code, status, cause }: ApiError): RouteReason | null {
  if (code === "input_too_large") return "too_long";
  if (status === 429) return "busy";
  if (cause instanceof ProviderError && cause.status === 500) return "failed";
  return status >= 500 ? "down" : null;
}

function goesOn({ goOnWhen = usualRouteReasons }: Provider, failure: ApiError): boolean {
  const reason = reasonToGoOn(failure);
  return reason !== null && goOnWhen.includes(reason);
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

/** No upstream was asked, so what was to run may be tried again. */
function notAsked(
  code: ErrorCode,
  message: string,
  { final = false, retryAfterMs = 0 }: { final?: boolean; retryAfterMs?: number },
): ApiError {
  const wait = retryAfterMs > 0 && { retryAfterMs };
  return asApiError(new ProviderError(code, message, { started: "no", final, ...wait }));
}

/** A rejected input proves that the upstream is healthy; to the breakers a 429 and a refused key of several prove nothing. */
function reportEnd(
  context: Context,
  { model, region }: ProviderRequest,
  provider: Provider,
  failure: ApiError | null,
  isOfKey = false,
): void {
  const where = { provider: provider.id, model: model.id, region };
  counters.upstreamTries.inc({ provider: provider.id, result: failure?.code ?? "ok" });
  if (failure && (isOfKey || failure.status === 429)) {
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

/** A provider's failure as the client sees it; unexpected errors are `internal_error`. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
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
