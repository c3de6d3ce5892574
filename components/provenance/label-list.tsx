import type { Prediction } from "#contract/prediction.ts";
import { CopyButton } from "@/components/ui/copy-button";
import { Facts } from "@/components/ui/facts";

/** Text to put beside a published file. */
interface Label {
  name: string;
  text: string;
}

const sourceTypes = "http://cv.iptc.org/newscodes/digitalsourcetype";

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

/** The labels of a prediction's files, the most needed first. */
export function labelsOf({
  model,
  api_type,
  sandbox,
  created_at,
  completed_at,
}: Pick<Prediction, "model" | "api_type" | "sandbox" | "created_at" | "completed_at">): Label[] {
  const date = (completed_at ?? created_at).slice(0, 10);
  const short = sandbox
    ? "Test output: no model ran"
    : api_type === "image-editing"
      ? "Edited with AI"
      : "Made with AI";
  const long = sandbox ? `${short}, ${date}` : `${short}: ${model}, ${date}`;
  return [
    { name: "Short", text: short },
    { name: "Long", text: long },
    { name: "HTML caption", text: `<figcaption>${escaped(long)}</figcaption>` },
    {
      name: "IPTC digital source type",
      text: `${sourceTypes}/${sandbox ? "algorithmicMedia" : "trainedAlgorithmicMedia"}`,
    },
  ];
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
