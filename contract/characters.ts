/**
 * How many characters a text has, as limits and bills count them: Unicode code points, so that an emoji is one and not
 * two. JSON Schema counts the same way. Needs no memory, however long the text is.
 */
export function countCharacters(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    count += 1;
    if ((text.codePointAt(at) ?? 0) > 0xffff) at += 1;
  }
  return count;
}

/** Whether a text has more characters than `limit`, in time that grows with the limit and not with the text. */
export function hasMoreCharacters(text: string, limit: number): boolean {
  return text.length > limit && (text.length > 2 * limit || countCharacters(text) > limit);
}

/** Whether a text has fewer characters than `limit`, in time that grows with the limit and not with the text. */
export function hasFewerCharacters(text: string, limit: number): boolean {
  return text.length < limit || (text.length < 2 * limit && countCharacters(text) < limit);
}
