import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import type { HttpAnswer } from "./http-client.ts";
import { retryAfterMs } from "./rate-limit.ts";

/** Words that upstreams use when their moderation rejects an input or output. */
const moderationWords =
  /content_policy|content_filter|moderation|data_?inspection|ip_?infringement|nsfw|flagged as sensitive|safety system|inappropriate content|\(E005\)/i;

/**
 * Words for a problem with the gateway's bill or key, which some upstreams report with a misleading status.
 */
const billWords = /arrearage|insufficient_quota|insufficient credit|invalid_?api_?key|access_?denied/i;

const tooLongWords =
  /context_length_exceeded|maximum context length|context window|prompt is too long|too many tokens/i;

const throttleWords = /^throttling|rate_?limit|too many requests/i;

/** Characters of an upstream's text that are passed on. */
const messageLength = 300;

export interface Refusal {
  error: ProviderError;
  /** Set if only the operator can fix the failure: the key, the bill or the providers file. */
  alert: "credential_or_bill" | "configuration" | null;
}

/** An upstream's error, in the same form for every protocol. */
export interface Fault {
  code: string | null;
  message: string | null;
  /** The field of the upstream's own request. */
  param: string | null;
}

/**
 * Maps an answer with status 300 or more to the contract's codes (docs/upstreams.md, "What an upstream's
 * answer becomes").
 */
export function refusalOf(status: number, fault: Fault, headers: HttpAnswer["headers"]): Refusal {
  const said = `${fault.code ?? ""} ${fault.message ?? ""}`;
  const cause = new Error(`HTTP ${status} ${said.trim().slice(0, messageLength)}`);
  const refuse = (
    code: ProviderError["code"],
    message: string,
    started: ProviderError["started"],
    alert: Refusal["alert"] = null,
  ): Refusal => {
    const wait = retryAfterMs(headers, fault.message);
    const error = new ProviderError(code, message, {
      started,
      status,
      cause,
      refusesKey: alert === "credential_or_bill",
      ...(fault.param && { param: fault.param }),
      ...(wait !== undefined && { retryAfterMs: wait }),
    });
    return { error, alert };
  };
  const isInput = status >= 400 && status < 500;
  if (isInput && moderationWords.test(said))
    return refuse("content_policy_violation", "The provider's content policy refused this input.", "no");
  if (isInput && tooLongWords.test(said))
    return refuse("input_too_large", "The input is too long for the provider's model.", "no");
  if ([401, 402, 403].includes(status) || (isInput && billWords.test(said)))
    return refuse(
      "upstream_error",
      "The provider refused the gateway's credentials. An operator can see why on the gateway's health page and in its log.",
      "no",
      "credential_or_bill",
    );
  if (status === 429 || (isInput && throttleWords.test(said)))
    return refuse("upstream_rate_limited", "The provider is at its rate limit. Try again later.", "no");
  if (status < 400 || [404, 405, 410].includes(status))
    return refuse(
      "upstream_error",
      "The provider does not know this model or route. An operator can see why on the gateway's health page and in its log.",
      "no",
      "configuration",
    );
  switch (status) {
    case 408:
    case 504:
      return refuse("upstream_timeout", "The provider timed out.", "unknown");
    case 413:
      return refuse("input_too_large", "The input is too large for the provider.", "no");
    case 503:
    case 529:
      return refuse("service_unavailable", "The provider is unavailable.", "no");
  }
  if (isInput && status !== 409)
    return refuse("invalid_parameter", `The provider refused the input: ${quoted(fault)}`, "no");
  return refuse("upstream_error", `The provider failed (HTTP ${status}).`, "unknown");
}

/** The error of a job that was accepted and then failed, with the upstream's message. */
export function jobFailure(fault: Fault): ProviderError {
  const said = `${fault.code ?? ""} ${fault.message ?? ""}`;
  const cause = new Error(said.trim().slice(0, messageLength));
  const fail = (code: ProviderError["code"], message: string) =>
    new ProviderError(code, message, {
      started: "yes",
      final: true,
      cause,
      ...(code === "invalid_parameter" && fault.param && { param: fault.param }),
    });
  if (moderationWords.test(said))
    return fail("content_policy_violation", "The provider's content policy refused the input or its output.");
  if (/timeout|timed out|deadline/i.test(fault.code ?? ""))
    return fail("upstream_timeout", "The provider timed out.");
  if (/invalid_?parameter|invalid_?input|validation|invalid_?url/i.test(fault.code ?? ""))
    return fail("invalid_parameter", `The provider refused the input: ${quoted(fault)}`);
  return fail(
    "upstream_error",
    fault.message ? `The provider failed: ${quoted(fault)}` : "The provider failed.",
  );
}

function quoted({ message, code }: Fault): string {
  const text = (message ?? code ?? "it gave no reason").replace(/\s+/g, " ").trim();
  return text.length > messageLength ? `${text.slice(0, messageLength)}…` : text;
}
