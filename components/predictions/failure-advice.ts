/** What a person can do about a run that failed. The code decides; without a known one the message must do. */
const adviceByCode: Record<string, string> = {
  upstream_timeout: "Run it again; with a shorter duration or a smaller size it finishes sooner.",
  upstream_error: "Run it again in a minute, or choose another region.",
  upstream_invalid_response: "Run it again; if it stays, quote the request id to the operator.",
  upstream_rate_limited: "Wait a minute, then run it again.",
  upstream_outcome_unknown:
    "The connection broke while the provider worked, and it is not known whether it finished. It was not sent a second time by itself; run it again if you want that.",
  no_healthy_region: "Run it again in a minute, or choose another region.",
  service_unavailable: "Run it again in a minute.",
  content_policy_violation: "Change the input: the provider refused its content.",
  media_fetch_failed:
    "Check the media of the input: it could not be fetched. Uploading it is the surest way.",
  input_too_large: "Choose smaller media or shorter text.",
  invalid_parameter: "Change the input: the message names the field.",
  budget_exceeded: "Raise the key's budget or use another key.",
};

export function runFailureAdvice(code: string): string {
  return adviceByCode[code] ?? "Look at the message, change the input where it says so, and run it again.";
}
