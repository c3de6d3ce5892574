import { ProviderError } from "#gateway/core/provider-error.ts";

const timedOut = new Set(["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT", "ETIMEDOUT"]);

/** A call that got no answer: what was written may have been read, what was not cannot have been. */
export function connectionFailure(error: unknown, sent: boolean): ProviderError {
  const code = codeOf(error);
  const cause = new Error(`${code}: ${error instanceof Error ? error.message : String(error)}`);
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
  return new ProviderError("upstream_error", "The connection to the provider broke off.", {
    started: "unknown",
    cause,
  });
}

function codeOf(error: unknown): string {
  const code = error !== null && typeof error === "object" ? Reflect.get(error, "code") : null;
  return typeof code === "string" ? code : "ERROR";
}
