import { diffArrays } from "diff";

/** A part of a compared text: removed, added, or the same. */
export interface TextPart {
  kind: "same" | "removed" | "added";
  text: string;
}

/**
 * Comparing costs the words times the changed words; texts with more changes are shown whole, before and
 * after.
 */
const maxChangedWords = 600;

/** Compares two texts word by word. */
export function wordDiff(before: string, after: string): TextPart[] {
  const changes = diffArrays(wordsOf(before), wordsOf(after), { maxEditLength: maxChangedWords });
  const parts: TextPart[] = changes
    ? changes.map(({ removed, added, value }) => ({
        kind: removed ? "removed" : added ? "added" : "same",
        text: value.join(""),
      }))
    : [
        { kind: "removed", text: before },
        { kind: "added", text: after },
      ];
  return parts.filter(({ text }) => text !== "");
}

/** Words with their leading space, so that nothing is lost. */
function wordsOf(text: string): string[] {
  return text.match(/\s*\S+|\s+$/g) ?? [];
}
