/**
 * A longer search is refused, and only this many of its words count. Only the newest `rows` of an account are
 * searched, so a search takes the same time however long the history is.
 */
export const searchLimits = { length: 200, words: 8, rows: 10_000 } as const;

/**
 * A word of at least this length is also searched in ids, because the console shows only the last six letters
 * of an id.
 */
export const idPartLength = 6;

/**
 * Splits a search into words. Every list of the gateway and the console compares words in the same way:
 * ignoring case, in any order, each as a part of the text.
 */
export function searchWords(search: string): string[] {
  const words = search.normalize("NFC").toLowerCase().split(/\s+/).filter(Boolean);
  return [...new Set(words)].slice(0, searchLimits.words);
}

/** Whether every word occurs in the text, which may combine several fields. */
export function hasWords(text: string, words: readonly string[]): boolean {
  const where = text.normalize("NFC").toLowerCase();
  return words.every((word) => where.includes(word));
}

/** Most results for each kind of resource. */
export const foundLimit = { max: 20, default: 5 } as const;
