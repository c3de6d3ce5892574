import type { Prediction } from "#contract/prediction.ts";
import { ConfirmationNeeded } from "@/components/attestations/confirmation-needed";
import { useAccess } from "@/components/team/access";
import { JsonView } from "@/components/ui/json-view";
import { EmptyState } from "@/components/ui/page/empty-state";
import { whyRemoved } from "@/lib/retention";

/** The input of a run. Long texts come first, in full width. */
export function InputPanel({ prediction }: { prediction: Prediction }) {
  const { input } = prediction;
  const { retentionMinutes } = useAccess();
  if (prediction.gated) return <ConfirmationNeeded model={prediction.model} hides="input" />;
  if (input === null) {
    return (
      <EmptyState
        title={prediction.data_removed ? "Input removed" : "No input"}
        body={
          prediction.data_removed
            ? `The input was removed together with the outputs, ${whyRemoved(retentionMinutes)}.`
            : "The gateway does not provide the input of this prediction."
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
      <JsonView value={input} label="Input" />
    </div>
  );
}
