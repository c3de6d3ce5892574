import type { Prediction } from "#contract/prediction.ts";
import { CopyButton } from "@/components/ui/copy-button";
import { Facts } from "@/components/ui/facts";
import { labelsOf } from "./labels.ts";

/** The labels, each with a copy button. */
export function LabelList({ prediction }: { prediction: Prediction }) {
  return (
    <div className="mt-2 space-y-2">
      <Facts
        facts={labelsOf(prediction).map(({ name, text }) => [
          name,
          <span key={name} className="inline-flex items-center gap-1">
            <span className="min-w-0 wrap-anywhere">{text}</span>
            <CopyButton value={text} label={`Copy: ${name}`} />
          </span>,
        ])}
      />
      <p className="max-w-[80ch] text-table text-muted">
        A label beside the file works even if the file's metadata is removed. The publisher must judge whether
        a law requires a label, and with which wording.
      </p>
    </div>
  );
}
