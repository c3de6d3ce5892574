/**
 * The number of characters in a text, for limits and bills: Unicode code points, so an emoji is one
 * character. JSON Schema counts the same way. Uses no extra memory, however long the text is.
 */
export function countCharacters(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    count += 1;
    if ((text.codePointAt(at) ?? 0) > 0xffff) at += 1;
  }
  return count;
}

/** Whether a text has more characters than `limit`. The time grows with the limit, not with the text. */
export function hasMoreCharacters(text: string, limit: number): boolean {
  return text.length > limit && (text.length > 2 * limit || countCharacters(text) > limit);
}

/** Whether a text has fewer characters than `limit`. The time grows with the limit, not with the text. */
export function hasFewerCharacters(text: string, limit: number): boolean {
  return text.length < limit || (text.length < 2 * limit && countCharacters(text) < limit);
}
