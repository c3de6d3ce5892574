import { CircleX } from "lucide-react";
import type { Prediction } from "#contract/prediction.ts";
import { CopyButton } from "@/components/ui/copy-button";
import { runFailureAdvice } from "./failure-advice.ts";

/** A failed run: what to do first, then the provider's words, the code and the id to quote. */
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
