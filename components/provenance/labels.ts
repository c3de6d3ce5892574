import type { Prediction } from "#contract/prediction.ts";

/** Text to put beside a published file. */
export interface Label {
  name: string;
  text: string;
}

const sourceTypes = "http://cv.iptc.org/newscodes/digitalsourcetype";

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
