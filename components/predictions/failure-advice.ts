/** What a person can do about a run that failed. The code decides; without a known one the message must do. */
const adviceByCode: Record<string, string> = {
  upstream_timeout: "Run it again, with a shorter duration or a smaller size if possible.",
  upstream_error: "Run it again in a minute, or choose another region.",
  upstream_invalid_response: "Run it again. If it keeps failing, send the request id to the operator.",
  upstream_rate_limited: "Wait a minute, then run it again.",
  upstream_outcome_unknown:
    "The connection was lost while the provider was working, so the result is unknown. It was not run again automatically. You can run it again.",
  no_healthy_region: "Run it again in a minute, or choose another region.",
  service_unavailable: "Run it again in a minute.",
  content_policy_violation: "Change the input: the provider rejected its content.",
  media_fetch_failed: "The input media could not be fetched. Check its URL, or upload the file instead.",
  input_too_large: "Use a smaller file or shorter text.",
  invalid_parameter: "Change the field named in the message.",
  budget_exceeded: "Raise the key's budget or use another key.",
};

export function runFailureAdvice(code: string): string {
  return adviceByCode[code] ?? "Read the message, change the input and run it again.";
}
