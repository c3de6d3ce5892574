/** A piece of a note: an address to follow, or words. */
export interface TextPart {
  text: string;
  isLink: boolean;
}

/** Only these are made links: nobody's text may lead to a script, or over a line that others can read. */
const address = /https:\/\/[^\s<>"'`]+/g;
/** What ends the sentence, not the address. */
const sentenceEnd = /[.,;:!?)\]}]+$/;

/** A text in parts, its https addresses apart from the rest. */
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
