import type { Prediction } from "#contract/prediction.ts";
import { useWords } from "#words";
import { CopyButton } from "@/components/ui/copy-button";
import { Facts } from "@/components/ui/facts";
import type { Words } from "@/messages/words";

/** Text to put beside a published file. */
interface Label {
  name: string;
  text: string;
}

const sourceTypes = "http://cv.iptc.org/newscodes/digitalsourcetype";

/** The labels, each with a copy button. */
export function LabelList({ prediction }: { prediction: Prediction }) {
  const t = useWords("provenance");
  return (
    <div className="mt-2 space-y-2">
      <Facts
        facts={labelsOf(prediction, t).map(({ name, text }) => [
          name,
          <span key={name} className="inline-flex items-center gap-1">
            <span className="min-w-0 wrap-anywhere">{text}</span>
            <CopyButton value={text} label={t("copyName", { name })} />
          </span>,
        ])}
      />
      <p className="max-w-[80ch] text-table text-muted">{t("aLabelBesideTheFile")}</p>
    </div>
  );
}

type Labelled = Pick<Prediction, "model" | "api_type" | "sandbox" | "created_at" | "completed_at">;

/** The labels of a prediction's files, the most needed first. */
export function labelsOf(
  { model, api_type, sandbox, created_at, completed_at }: Labelled,
  t: Words<"provenance">,
): Label[] {
  const date = (completed_at ?? created_at).slice(0, 10);
  const short = sandbox
    ? t("testOutput")
    : api_type === "image-editing"
      ? t("editedWithAi")
      : t("madeWithAi");
  const long = sandbox
    ? t("labelWithDate", { label: short, date })
    : t("labelWithModel", { label: short, model, date });
  return [
    { name: t("short"), text: short },
    { name: t("long"), text: long },
    { name: t("htmlCaption"), text: `<figcaption>${escaped(long)}</figcaption>` },
    {
      name: t("iptcDigitalSourceType"),
      text: `${sourceTypes}/${sandbox ? "algorithmicMedia" : "trainedAlgorithmicMedia"}`,
    },
  ];
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
