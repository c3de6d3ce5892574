import type { ErrorCode } from "#contract/error.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/http/api-error.ts";
import { type Provider, ProviderError, type ProviderRequest } from "#gateway/providers/provider.ts";

/** Upstream failures that speak against the deployment, not against the request. */
const breaking = new Set<ErrorCode>([
  "upstream_error",
  "upstream_timeout",
  "upstream_invalid_response",
  "upstream_stream_interrupted",
  "service_unavailable",
]);

/** Extra providers that are asked when one certainly did not start. */
const maxFailovers = 2;

/**
 * Asks the providers of the operation in their order. The next one is asked only when the one before certainly did
 * not start the work (docs/api.md, "Upstream rules"). Throws the last failure in the contract's codes.
 */
export async function dispatch<Result>(
  context: Context,
  request: ProviderRequest,
  run: (provider: Provider) => Promise<Result>,
): Promise<{ result: Result; provider: Provider }> {
  const { model, operation, region } = request;
  const providers = context.providers.route(model, operation, region).slice(0, 1 + maxFailovers);
  let last: ApiError | null = null;
  for (const provider of providers) {
    const support = provider.supports(operation, model);
    if (!support.ok) {
      last = new ApiError("service_unavailable", support.reason);
      continue;
    }
    try {
      const result = await run(provider);
      report(context, request, provider, "success");
      return { result, provider };
    } catch (error) {
      if (request.signal.aborted) throw error;
      const failure = asApiError(error);
      // Whoever refuses an input is well; whoever is at its limit is neither proof.
      if (failure.status !== 429)
        report(context, request, provider, breaking.has(failure.code) ? "failure" : "success");
      request.log.warn({ err: error, provider: provider.id, region }, "provider failed");
      const another = failure.status >= 500 || failure.status === 429;
      if (!(another && error instanceof ProviderError && error.started === "no")) throw failure;
      last = failure;
    }
  }
  throw (
    last ?? new ApiError("service_unavailable", `${model.id} is not served in ${region} by this gateway.`)
  );
}

function report(
  context: Context,
  { model, region }: ProviderRequest,
  provider: Provider,
  outcome: "success" | "failure",
): void {
  context.catalog.report(model.id, region, outcome);
  context.providers.report(provider, region, outcome);
}

/** A provider's failure as the client sees it; anything unforeseen is ours. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof ProviderError) {
    return new ApiError(error.code, error.message, {
      param: error.param,
      cause: error,
      ...(error.retryAfterMs !== undefined && { retryAfterSeconds: error.retryAfterMs / 1000 }),
    });
  }
  return new ApiError("upstream_error", "The provider failed in a way that we did not foresee.", {
    cause: error,
  });
}
