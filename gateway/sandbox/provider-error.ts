import { StoreFullError } from "#gateway/files/storage/store-room.ts";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import { SandboxFailure } from "./failure.ts";

/** The same failure as a ProviderError; a sandbox run may always be retried, except for a bad input. */
export function toProviderError(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  if (error instanceof SandboxFailure)
    return new ProviderError(error.code, error.message, {
      started: "yes",
      ...(error.param ? { param: error.param } : {}),
    });
  if (error instanceof StoreFullError)
    return new ProviderError(error.code, error.message, { started: "no", cause: error });
  return new ProviderError("upstream_error", "The sandbox could not make this output. Try again.", {
    started: "yes",
    cause: error,
  });
}
