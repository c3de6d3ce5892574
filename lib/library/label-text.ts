import { keepLimits } from "#contract/output-constants.ts";

/** The labels in a text with commas, without duplicates. */
export function labelsOfText(text: string): string[] {
  return [...new Set(text.split(",").map((label) => label.trim()))].filter((label) => label !== "");
}

/** The problem with the labels. Null: none. */
export function labelProblem(labels: readonly string[]): string | null {
  if (labels.length > keepLimits.labels) return `Use at most ${keepLimits.labels} labels.`;
  const long = labels.find((label) => label.length > keepLimits.labelLength);
  return long === undefined
    ? null
    : `“${long.slice(0, 20)}…” is longer than ${keepLimits.labelLength} characters.`;
}
