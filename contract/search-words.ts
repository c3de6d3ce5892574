/**
 * A longer search is refused, and further words of one are not looked at. The newest `rows` of an account are
 * searched, so that it takes the same time however long the history is.
 */
export const searchLimits = { length: 200, words: 8, rows: 10_000 } as const;

/** A word that is at least this long is sought in ids, too: chips show the last six letters of one. */
export const idPartLength = 6;

/**
 * Splits a search into words, which every list of the gateway and the console compares alike: ignoring case,
 * in any order, each as a part of the text.
 */
export function searchWords(search: string): string[] {
  const words = search.normalize("NFC").toLowerCase().split(/\s+/).filter(Boolean);
  return [...new Set(words)].slice(0, searchLimits.words);
}

/** Whether every word occurs in the text, which may be that of several fields. */
export function hasWords(text: string, words: readonly string[]): boolean {
  const where = text.normalize("NFC").toLowerCase();
  return words.every((word) => where.includes(word));
}
