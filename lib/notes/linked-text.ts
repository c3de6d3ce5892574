/** A part of a note: a link or text. */
interface TextPart {
  text: string;
  isLink: boolean;
}

/** Only https links, so that another person's note cannot run a script or link to an unencrypted site. */
const address = /https:\/\/[^\s<>"'`]+/g;

/** Punctuation that ends the sentence, not the address. */
const sentenceEnd = /[.,;:!?)\]}]+$/;

/** Splits a text into https links and the rest. */
export function linkedText(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  const add = (to: number, isLink: boolean) => {
    if (to > from) parts.push({ text: text.slice(from, to), isLink });
    from = to;
  };
  for (const { 0: found, index } of text.matchAll(address)) {
    const url = found.replace(sentenceEnd, "");
    if (!URL.canParse(url)) continue;
    add(index, false);
    add(index + url.length, true);
  }
  add(text.length, false);
  return parts;
}
