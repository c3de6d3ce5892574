import { CircleX } from "lucide-react";
import type { Prediction } from "#contract/prediction.ts";
import { useWords } from "#words";
import { CopyButton } from "@/components/ui/copy-button";

/** A failed run: first what to do, then the provider's message, the code and the request id. */
export function FailurePanel({ prediction }: { prediction: Prediction }) {
  const t = useWords("predictions");
  const { error, request_id: requestId } = prediction;
  if (!error) return null;
  const advice = `${error.code}Advice`;
  return (
    <section
      aria-label={t("whyItFailed")}
      className="mb-4 flex flex-wrap gap-3 rounded-panel border border-bad bg-bad-soft p-4"
    >
      <CircleX size={18} aria-hidden className="mt-0.5 shrink-0 text-bad" />
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-semibold">{t.has(advice) ? t.text(advice) : t("otherFailureAdvice")}</p>
        <p lang="en" className="wrap-anywhere">
          {error.message}
        </p>
        <p className="mt-1 flex flex-wrap items-center gap-x-3 font-mono text-meta text-muted">
          <span>{error.code}</span>
          {requestId && (
            <span className="inline-flex items-center">
              {requestId}
              <CopyButton value={requestId} label={t("copyRequestId")} />
            </span>
          )}
        </p>
      </div>
    </section>
  );
}
