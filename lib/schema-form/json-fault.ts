import { byName } from "#contract/by-name.ts";

/** The position where a text stops being JSON, with the found and the expected token. */
export interface JsonFault {
  message: string;
  /** UTF-16 offset in the text. */
  offset: number;
}

/** Deepest nesting that is examined. No request is nested deeper. */
const maxDepth = 500;
const anyQuote = /["'`“”„‟«»‘’‚‛]/;
const word = /[\p{L}\p{N}_$.+-]+/uy;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const invisible = byName<string>({
  "\u00a0": "a non-breaking space",
  "\u200b": "a zero-width space",
  "\ufeff": "a byte-order mark",
  "\u2028": "a line separator",
  "\u2029": "a paragraph separator",
});
const otherLiterals = byName<string>({
  None: "null",
  nil: "null",
  NULL: "null",
  Null: "null",
  undefined: "null",
  True: "true",
  TRUE: "true",
  False: "false",
  FALSE: "false",
});

/** The first fault in a text that is not a JSON object. */
export function findJsonFault(text: string): JsonFault {
  try {
    readDocument(text);
  } catch (fault) {
    if (fault instanceof Found) return { message: fault.message, offset: fault.offset };
    throw fault;
  }
  return { message: "The body must be a JSON object: start with { and end with }.", offset: 0 };
}

class Found extends Error {
  readonly offset: number;
  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

interface Cursor {
  text: string;
  at: number;
  depth: number;
}

function readDocument(text: string): void {
  const cursor: Cursor = { text, at: 0, depth: 0 };
  skipSpace(cursor);
  if (cursor.at === text.length) throw new Found("The body is empty: start with {.", 0);
  readValue(cursor, "a value");
  skipSpace(cursor);
  if (cursor.at === text.length) return;
  const found = text.charAt(cursor.at);
  if (found === "}" || found === "]")
    throw new Found(`Remove this ${found}: no bracket is open here.`, cursor.at);
  throw new Found(
    "The JSON ends before this: remove what follows, or the bracket that closes too early.",
    cursor.at,
  );
}

function readValue(cursor: Cursor, expected: string): void {
  const { text, at } = cursor;
  const found = text.charAt(at);
  if (found === "") throw new Found(`The JSON ends where ${expected} was expected.`, at);
  if (found === "," || found === "}" || found === "]")
    throw new Found(`${cap(expected)} is missing before this ${found}.`, at);
  if (found === "{") readObject(cursor);
  else if (found === "[") readArray(cursor);
  else if (anyQuote.test(found)) readString(cursor);
  else if (/[-\d]/.test(found)) readNumber(cursor);
  else readWord(cursor, expected);
}

function readObject(cursor: Cursor): void {
  const opened = cursor.at;
  enter(cursor);
  skipSpace(cursor);
  while (peek(cursor) !== "}") {
    readKey(cursor, opened);
    skipSpace(cursor);
    readColon(cursor);
    skipSpace(cursor);
    readValue(cursor, "a value");
    readSeparator(cursor, opened, "}");
  }
  leave(cursor);
}

function readArray(cursor: Cursor): void {
  const opened = cursor.at;
  enter(cursor);
  skipSpace(cursor);
  while (peek(cursor) !== "]") {
    if (peek(cursor) === "") throw unclosed(cursor, opened, "]");
    if (peek(cursor) === "}") throw new Found("Close the list with ] before this }.", cursor.at);
    readValue(cursor, "an item");
    readSeparator(cursor, opened, "]");
  }
  leave(cursor);
}

function enter(cursor: Cursor): void {
  cursor.depth += 1;
  if (cursor.depth > maxDepth) throw new Found("This JSON is nested too deeply.", cursor.at);
  cursor.at += 1;
}

function leave(cursor: Cursor): void {
  cursor.depth -= 1;
  cursor.at += 1;
}

function readKey(cursor: Cursor, opened: number): void {
  const found = peek(cursor);
  if (anyQuote.test(found)) {
    readString(cursor);
    return;
  }
  if (found === "") throw unclosed(cursor, opened, "}");
  if (found === ",") throw new Found("Remove this comma: a key was expected.", cursor.at);
  if (found === "]") throw new Found("Close the object with } before this ].", cursor.at);
  if (found === ":") throw new Found("A key in double quotes is missing before this colon.", cursor.at);
  const name = wordAt(cursor);
  throw new Found(
    name
      ? `Put the key ${short(name)} in double quotes: "${short(name)}".`
      : `A key in double quotes was expected, not ${found}.`,
    cursor.at,
  );
}

function readColon(cursor: Cursor): void {
  const found = peek(cursor);
  if (found === ":") {
    cursor.at += 1;
    return;
  }
  if (found === "=") throw new Found("Write a colon here, not an equals sign.", cursor.at);
  if (found === "") throw new Found("The JSON ends where a colon and a value were expected.", cursor.at);
  if (found === "," || found === "}")
    throw new Found("A colon and a value are missing after this key.", cursor.at);
  throw new Found("A colon is missing after the key.", cursor.at);
}

/**
 * Reads what follows a value: a comma before another value, or the closing bracket. The cursor stops at the
 * bracket.
 */
function readSeparator(cursor: Cursor, opened: number, close: "}" | "]"): void {
  skipSpace(cursor);
  const found = peek(cursor);
  if (found === close) return;
  const what = close === "}" ? "object" : "list";
  if (found === ",") {
    const comma = cursor.at;
    cursor.at += 1;
    skipSpace(cursor);
    const next = peek(cursor);
    if (next === close) throw new Found(`Remove this comma: nothing follows it in the ${what}.`, comma);
    if (next === ",") throw new Found("Remove this comma: there are two in a row.", cursor.at);
    return;
  }
  if (found === "") throw unclosed(cursor, opened, close);
  if (found === "}" || found === "]")
    throw new Found(`Close the ${what} with ${close}, not ${found}.`, cursor.at);
  if (found === ";") throw new Found("Write a comma here, not a semicolon.", cursor.at);
  if (found === ":" && close === "]")
    throw new Found("A list has no keys: use { } for keys and values, or remove the key.", cursor.at);
  if (found === "." || found === "_")
    throw new Found("A number can only contain digits and one decimal point.", cursor.at);
  throw new Found(`A comma or ${close} is missing before this.`, cursor.at);
}

function readString(cursor: Cursor): void {
  const { text } = cursor;
  const opened = cursor.at;
  const quote = text.charAt(opened);
  if (quote !== '"') throw new Found(`Use straight double quotes (") here, not ${quote}.`, opened);
  for (let at = opened + 1; at < text.length; at += 1) {
    const found = text.charAt(at);
    if (found === '"') {
      cursor.at = at + 1;
      return;
    }
    if (found === "\n" || found === "\r")
      throw new Found(
        'This string has no closing quote on its line: add a " at its end, or write a line break as \\n.',
        opened,
      );
    if (found === "\t") throw new Found("Write a tab inside a string as \\t.", at);
    if (found < " ")
      throw new Found("Remove this control character, or write it as \\u and four digits.", at);
    if (found === "\\") at = afterEscape(text, at);
  }
  throw new Found('This string has no closing quote: add a " at its end.', opened);
}

/** The offset of an escape sequence's last character. */
function afterEscape(text: string, at: number): number {
  const letter = text.charAt(at + 1);
  if (letter !== "" && '"\\/bfnrt'.includes(letter)) return at + 1;
  if (letter === "u") {
    if (/^[0-9a-fA-F]{4}$/.test(text.slice(at + 2, at + 6))) return at + 5;
    throw new Found("Write four hexadecimal digits after \\u, such as \\u00e9.", at);
  }
  if (letter === "'") throw new Found("Remove this backslash: a single quote does not need one.", at);
  throw new Found("Write a backslash inside a string as \\\\.", at);
}

function readNumber(cursor: Cursor): void {
  const { text, at } = cursor;
  number.lastIndex = at;
  const [digits] = number.exec(text) ?? [];
  const written = wordAt(cursor) ?? digits ?? "";
  if (digits === written) {
    cursor.at = at + written.length;
    return;
  }
  if (/^-?0[xX]/.test(written))
    throw new Found("Write this number in decimal digits: JSON does not allow 0x.", at);
  if (/^-?0\d/.test(written)) throw new Found("Remove the zeros at the start of this number.", at);
  if (/_/.test(written)) throw new Found("Remove the underscores from this number.", at);
  if (/\.$/.test(written)) throw new Found("Write a digit after the decimal point.", at);
  if (/^-?Infinity$/.test(written)) throw new Found("JSON does not allow Infinity: write a number.", at);
  throw new Found(`${short(written)} is not a valid number: correct it, or put it in double quotes.`, at);
}

function readWord(cursor: Cursor, expected: string): void {
  const { at } = cursor;
  const written = wordAt(cursor);
  if (written === null) throw new Found(`${cap(expected)} was expected here, not ${peek(cursor)}.`, at);
  if (written === "true" || written === "false" || written === "null") {
    cursor.at = at + written.length;
    return;
  }
  const literal = Object.hasOwn(otherLiterals, written) ? otherLiterals[written] : undefined;
  if (literal) throw new Found(`Write ${literal} here, not ${written}.`, at);
  if (written === "NaN" || written === "Infinity")
    throw new Found(`JSON does not allow ${written}: write a number or null.`, at);
  if (/^\+/.test(written)) throw new Found("Remove the plus sign before this number.", at);
  if (/^\.\d/.test(written)) throw new Found("Write a 0 before the decimal point.", at);
  throw new Found(`Put ${short(written)} in double quotes if it is a string.`, at);
}

/** Skips JSON whitespace. Look-alike characters and comments are reported as faults. */
function skipSpace(cursor: Cursor): void {
  const { text } = cursor;
  while (/[ \t\r\n]/.test(text.charAt(cursor.at))) cursor.at += 1;
  const found = text.charAt(cursor.at);
  const name = invisible[found];
  if (name) throw new Found(`Remove this invisible character (${name}).`, cursor.at);
  if (text.startsWith("//", cursor.at) || text.startsWith("/*", cursor.at) || found === "#")
    throw new Found("Remove this comment: JSON does not allow comments.", cursor.at);
}

function unclosed(cursor: Cursor, opened: number, close: "}" | "]"): Found {
  const line = cursor.text.slice(0, opened).split("\n").length;
  return new Found(
    `The JSON ends too early: add ${close} to close the ${close === "}" ? "{" : "["} of line ${line}.`,
    cursor.text.length,
  );
}

function peek(cursor: Cursor): string {
  return cursor.text.charAt(cursor.at);
}

function wordAt({ text, at }: Cursor): string | null {
  word.lastIndex = at;
  return word.exec(text)?.[0] ?? null;
}

function short(text: string): string {
  return text.length > 30 ? `${text.slice(0, 29)}…` : text;
}

function cap(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
