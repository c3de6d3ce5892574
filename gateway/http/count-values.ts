const quote = 34;
const comma = 44;
const openBracket = 91;
const backslash = 92;
const openBrace = 123;

/**
 * About how many values a JSON text holds, without parsing it: one for every bracket that opens and every comma
 * outside of strings, and the first. Stops counting beyond `max`. Text that is no JSON gets some number.
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

/** Where the quote stands that closes the string which opens at `start`; the text's length without one. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at;
    while (text.charCodeAt(before - 1) === backslash) before -= 1;
    if ((at - before) % 2 === 0) return at;
  }
  return text.length;
}
