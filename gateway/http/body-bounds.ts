import { ApiError } from "#gateway/core/api-error.ts";

/**
 * More values than this are rejected before parsing: parsed brackets and zeros take many times their bytes. The longest
 * chat within the byte limit has fewer.
 */
export const maxBodyValues = 250_000;

/** The number of values in a JSON text. Throws `request_too_large` when there are more than a body may have. */
export function refuseManyValues(text: string, alreadyCounted = 0): number {
  const count = alreadyCounted + countValues(text, maxBodyValues);
  if (count > maxBodyValues)
    throw new ApiError("request_too_large", `The body has more than ${maxBodyValues} values.`);
  return count;
}

const quote = 34;
const comma = 44;
const openBracket = 91;
const backslash = 92;
const openBrace = 123;

/**
 * About how many values a JSON text holds, without parsing it: one for every bracket that opens and every comma
 * outside strings, plus one. Stops counting beyond `max`. For text that is not JSON the number has no meaning.
 */
export function countValues(text: string, max: number): number {
  let count = 1;
  for (let at = 0; at < text.length && count <= max; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === comma || code === openBracket || code === openBrace) count += 1;
  }
  return count;
}

/** The index of the quote that closes the string opened at `start`; the text's length without one. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at;
    while (text.charCodeAt(before - 1) === backslash) before -= 1;
    if ((at - before) % 2 === 0) return at;
  }
  return text.length;
}
