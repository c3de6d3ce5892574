import { ProviderError } from "#gateway/platform/core/provider-error.ts";

const timedOut = new Set(["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT", "ETIMEDOUT"]);

/** The error of a call without an answer; `started` is `no` only if the request was never written. */
export function connectionFailure(error: unknown, sent: boolean): ProviderError {
  const code = codeOf(error);
  const message = `${code}: ${error instanceof Error ? error.message : String(error)}`;
  const cause = Object.assign(new Error(message), { code });
  if (!sent)
    return new ProviderError("service_unavailable", "The provider could not be reached.", {
      started: "no",
      cause,
    });
  if (timedOut.has(code))
    return new ProviderError("upstream_timeout", "The provider did not answer in time.", {
      started: "unknown",
      cause,
    });
  return new ProviderError("upstream_error", "The connection to the provider was lost.", {
    started: "unknown",
    cause,
  });
}

function codeOf(error: unknown): string {
  const code = error !== null && typeof error === "object" ? Reflect.get(error, "code") : null;
  return typeof code === "string" ? code : "ERROR";
}
