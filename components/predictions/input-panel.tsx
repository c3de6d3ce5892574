import type { Prediction } from "#contract/prediction.ts";
import { useWords } from "#words";
import { ConfirmationNeeded } from "@/components/attestations/confirmation-needed";
import { useAccess } from "@/components/team/access";
import { JsonView } from "@/components/ui/json-view";
import { EmptyState } from "@/components/ui/page/empty-state";
import { retentionIn } from "@/lib/retention";

/** The input of a run. Long texts come first, in full width. */
export function InputPanel({ prediction }: { prediction: Prediction }) {
  const t = useWords("predictions");
  const { input } = prediction;
  const { retentionMinutes } = useAccess();
  if (prediction.gated) return <ConfirmationNeeded model={prediction.model} hides="input" />;
  if (input === null) {
    return (
      <EmptyState
        title={prediction.data_removed ? t("inputRemoved") : t("noInput")}
        body={
          prediction.data_removed
            ? retentionMinutes === null
              ? t("inputRemovedAfterRetention")
              : t("inputRemovedAfter", retentionIn(retentionMinutes))
            : t("noInputProvided")
        }
      />
    );
  }
  const prompt = typeof input.prompt === "string" ? input.prompt : null;
  return (
    <div className="space-y-3">
      {prompt && (
        <blockquote className="max-h-60 overflow-y-auto border-accent border-l-2 pl-3 whitespace-pre-wrap wrap-anywhere">
          {prompt}
        </blockquote>
      )}
      <JsonView value={input} label={t("input")} />
    </div>
  );
}
