import { keepLimits } from "#contract/output-constants.ts";

/** Labels from a text with commas, without repetitions. */
export function labelsOfText(text: string): string[] {
  return [...new Set(text.split(",").map((label) => label.trim()))].filter((label) => label !== "");
}

/** The problem with the labels; null: none. */
export function labelProblem(labels: readonly string[]): string | null {
  if (labels.length > keepLimits.labels) return `At most ${keepLimits.labels} labels.`;
  const long = labels.find((label) => label.length > keepLimits.labelLength);
  return long === undefined
    ? null
    : `“${long.slice(0, 20)}…” is longer than ${keepLimits.labelLength} characters.`;
}
