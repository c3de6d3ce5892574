import { CircleX } from "lucide-react";
import type { Prediction } from "#contract/prediction.ts";
import { CopyButton } from "@/components/ui/copy-button";

/** A failed run: first what to do, then the provider's message, the code and the request id. */
export function FailurePanel({ prediction }: { prediction: Prediction }) {
  const { error, request_id: requestId } = prediction;
  if (!error) return null;
  return (
    <section
      aria-label="Why it failed"
      className="mb-4 flex flex-wrap gap-3 rounded-panel border border-bad bg-bad-soft p-4"
    >
      <CircleX size={18} aria-hidden className="mt-0.5 shrink-0 text-bad" />
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-semibold">{runFailureAdvice(error.code)}</p>
        <p className="wrap-anywhere">{error.message}</p>
        <p className="mt-1 flex flex-wrap items-center gap-x-3 font-mono text-meta text-muted">
          <span>{error.code}</span>
          {requestId && (
            <span className="inline-flex items-center">
              {requestId}
              <CopyButton value={requestId} label="Copy request id" />
            </span>
          )}
        </p>
      </div>
    </section>
  );
}

/** What to do about a failed run, by its code. For an unknown code, the message is shown. */
const adviceByCode: Record<string, string> = {
  upstream_timeout: "Run the model again, with a shorter duration or a smaller size if possible.",
  upstream_error: "Run the model again in a minute, or choose another region.",
  upstream_invalid_response: "Run the model again. If it fails again, send the request id to the operator.",
  upstream_rate_limited: "Wait a minute, then run the model again.",
  upstream_outcome_unknown:
    "The connection was lost while the provider was working, so the result is unknown. The gateway did not repeat the run. You can run the model again.",
  no_healthy_region: "Run the model again in a minute, or choose another region.",
  service_unavailable: "Run the model again in a minute.",
  content_policy_violation: "Change the input: the provider rejected its content.",
  content_blocked: "Change the input: a guard does not allow this run.",
  guard_unavailable: "Run the model again in a minute: a guard must allow it, and it failed.",
  media_fetch_failed: "The input file could not be fetched. Check its URL, or upload the file instead.",
  input_too_large: "Use a smaller file or shorter text.",
  request_over_token_limit: "Use shorter text, or ask for a shorter answer.",
  invalid_parameter: "Change the field named in the message.",
  budget_exceeded: "Raise the budget that the message names, or use another key.",
};

function runFailureAdvice(code: string): string {
  return adviceByCode[code] ?? "Read the message, change the input and run it again.";
}
