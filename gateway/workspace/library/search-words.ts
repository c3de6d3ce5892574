/** Words of a prompt that are searched. */
const maxWords = 400;
const maxLetters = 40;

/** Scripts without spaces between words: each character counts as a word. */
const alone = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]`;
const word = new RegExp(String.raw`${alone}|(?:(?!${alone})[\p{L}\p{N}])+`, "gu");

/** The words of a text in search form: without duplicates, case and accents. */
export function wordsOf(text: string, most: number = maxWords): string[] {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const found = new Set<string>();
  for (const [letters] of plain.matchAll(word)) {
    if (found.size >= most) break;
    found.add([...letters].slice(0, maxLetters).join(""));
  }
  return [...found];
}
