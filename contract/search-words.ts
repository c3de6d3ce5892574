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
 * Splits a search into words, or phrases in double quotes. Every list of the gateway and the console compares
 * them in the same way: ignoring case, in any order, each as a part of the text. What is in quotes must occur
 * as whole words.
 */
export function searchWords(search: string): string[] {
  const words =
    search
      .normalize("NFC")
      .toLowerCase()
      .match(/"[^"]+"|\S+/g) ?? [];
  return [...new Set(words)].slice(0, searchLimits.words);
}

/** The same search for whole words only: `customer 17` then does not find "customer 217". */
export function asWholeWords(search: string): string {
  return searchWords(search)
    .map((word) => `"${unquoted(word)}"`)
    .join(" ");
}

/** A word of a search without its quotes. */
export function unquoted(word: string): string {
  return isWhole(word) ? word.slice(1, -1) : word;
}

export function isWhole(word: string): boolean {
  return word.length > 2 && word.startsWith('"') && word.endsWith('"');
}

/** Letters that a keyboard without them writes in another way, apart from those with an accent. */
export const plainLetters = { ø: "o", ł: "l", đ: "d", ð: "d", ı: "i", ß: "ss", æ: "ae", œ: "oe" } as const;

/** A text in lower case and without accents, as it is compared: "moller" finds "Møller". */
export function fold(text: string): string {
  const bare = text
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase();
  return bare.replace(/[øłđðıßæœ]/g, (letter) => plainLetters[letter as keyof typeof plainLetters]);
}

/** Whether every word occurs in the text, which may combine several fields. */
export function hasWords(text: string, words: readonly string[]): boolean {
  const where = fold(text);
  return words.every((word) =>
    isWhole(word) ? hasWholeWord(where, fold(unquoted(word))) : where.includes(fold(word)),
  );
}

/** Whether the word occurs in the text without a letter or a digit before or after it. */
export function hasWholeWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!isLetter(text[at - 1]) && !isLetter(text[at + word.length])) return true;
  return false;
}

function isLetter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character);
}

/** Most results for each kind of resource. */
export const foundLimit = { max: 20, default: 5 } as const;
