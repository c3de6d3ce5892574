const mostLetters = 120;
/** What stands before the word, so that it is read in its sentence. */
const lettersBefore = 40;
/** Half of a character that needs two places. */
const halves = /^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g;

/** A piece of a long text in one line, with the first place where one of the words stands. */
export function excerptAround(text: string, words: readonly string[]): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= mostLetters) return line;
  const lower = line.toLowerCase();
  const place = Math.min(...words.map((word) => lower.indexOf(word)).filter((at) => at >= 0));
  const start = place < mostLetters - lettersBefore || place === Infinity ? 0 : place - lettersBefore;
  const end = start + mostLetters;
  const piece = line.slice(start, end).replace(halves, "");
  return `${start > 0 ? "…" : ""}${piece}${end < line.length ? "…" : ""}`;
}
