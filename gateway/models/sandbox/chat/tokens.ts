/**
 * The sandbox's counting rule, not a tokenizer: a token is a piece of a word of at most six letters with the
 * space before it; a Chinese, Japanese or Korean character is one token.
 */
export const tokenRule = "one token per word piece of up to 6 letters";

/** Cuts a text into tokens; joined again they are the text. */
export function tokensOf(text: string): string[] {
  return (
    text.match(
      /\s*[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|\s*[^\s\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{1,6}|\s+/gu,
    ) ?? []
  );
}

export function countTokens(text: string): number {
  return tokensOf(text).length;
}
