import { byName } from "#contract/by-name.ts";
import type { Words } from "@/messages/words";

type FaultWords = Words<"jsonFault">;

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
  "\u00a0": "nbsp",
  "\u200b": "zwsp",
  "\ufeff": "bom",
  "\u2028": "separator",
  "\u2029": "paragraph",
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
export function findJsonFault(text: string, t: FaultWords): JsonFault {
  try {
    readDocument(text, t);
  } catch (fault) {
    if (fault instanceof Found) return { message: fault.message, offset: fault.offset };
    throw fault;
  }
  return { message: t("mustBeObject", { open: "{", close: "}" }), offset: 0 };
}

/** What is missing at a place: a value, or an item of a list. */
type Expected = "value" | "item";

class Found extends Error {
  readonly offset: number;
  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

interface Cursor {
  t: FaultWords;
  text: string;
  at: number;
  depth: number;
}

function readDocument(text: string, t: FaultWords): void {
  const cursor: Cursor = { t, text, at: 0, depth: 0 };
  skipSpace(cursor);
  if (cursor.at === text.length) throw new Found(t("empty", { open: "{" }), 0);
  readValue(cursor, "value");
  skipSpace(cursor);
  if (cursor.at === text.length) return;
  const found = text.charAt(cursor.at);
  if (found === "}" || found === "]") throw new Found(t("noBracketOpen", { found }), cursor.at);
  throw new Found(t("endsBefore"), cursor.at);
}

function readValue(cursor: Cursor, expected: Expected): void {
  const { t, text, at } = cursor;
  const found = text.charAt(at);
  if (found === "") throw new Found(t("endsWhere", { expected }), at);
  if (found === "," || found === "}" || found === "]")
    throw new Found(t("missingBefore", { expected, found }), at);
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
    readValue(cursor, "value");
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
    if (peek(cursor) === "}")
      throw new Found(cursor.t("closeBefore", { kind: "list", close: "]", found: "}" }), cursor.at);
    readValue(cursor, "item");
    readSeparator(cursor, opened, "]");
  }
  leave(cursor);
}

function enter(cursor: Cursor): void {
  cursor.depth += 1;
  if (cursor.depth > maxDepth) throw new Found(cursor.t("tooDeep"), cursor.at);
  cursor.at += 1;
}

function leave(cursor: Cursor): void {
  cursor.depth -= 1;
  cursor.at += 1;
}

function readKey(cursor: Cursor, opened: number): void {
  const { t } = cursor;
  const found = peek(cursor);
  if (anyQuote.test(found)) {
    readString(cursor);
    return;
  }
  if (found === "") throw unclosed(cursor, opened, "}");
  if (found === ",") throw new Found(t("commaBeforeKey"), cursor.at);
  if (found === "]") throw new Found(t("closeBefore", { kind: "object", close: "}", found }), cursor.at);
  if (found === ":") throw new Found(t("keyMissing"), cursor.at);
  const name = wordAt(cursor);
  throw new Found(name ? t("quoteKey", { name: short(name) }) : t("keyExpected", { found }), cursor.at);
}

function readColon(cursor: Cursor): void {
  const { t } = cursor;
  const found = peek(cursor);
  if (found === ":") {
    cursor.at += 1;
    return;
  }
  if (found === "=") throw new Found(t("colonNotEquals"), cursor.at);
  if (found === "") throw new Found(t("endsBeforeColon"), cursor.at);
  if (found === "," || found === "}") throw new Found(t("colonAndValueMissing"), cursor.at);
  throw new Found(t("colonMissing"), cursor.at);
}

/**
 * Reads what follows a value: a comma before another value, or the closing bracket. The cursor stops at the
 * bracket.
 */
function readSeparator(cursor: Cursor, opened: number, close: "}" | "]"): void {
  skipSpace(cursor);
  const found = peek(cursor);
  if (found === close) return;
  const { t } = cursor;
  const kind = close === "}" ? "object" : "list";
  if (found === ",") {
    const comma = cursor.at;
    cursor.at += 1;
    skipSpace(cursor);
    const next = peek(cursor);
    if (next === close) throw new Found(t("lastComma", { kind }), comma);
    if (next === ",") throw new Found(t("twoCommas"), cursor.at);
    return;
  }
  if (found === "") throw unclosed(cursor, opened, close);
  if (found === "}" || found === "]") throw new Found(t("closeWith", { kind, close, found }), cursor.at);
  if (found === ";") throw new Found(t("commaNotSemicolon"), cursor.at);
  if (found === ":" && close === "]")
    throw new Found(t("listHasNoKeys", { open: "{", close: "}" }), cursor.at);
  if (found === "." || found === "_") throw new Found(t("oneDecimalPoint"), cursor.at);
  throw new Found(t("commaOrBracketMissing", { close }), cursor.at);
}

function readString(cursor: Cursor): void {
  const { t, text } = cursor;
  const opened = cursor.at;
  const quote = text.charAt(opened);
  if (quote !== '"') throw new Found(t("straightQuotes", { quote }), opened);
  for (let at = opened + 1; at < text.length; at += 1) {
    const found = text.charAt(at);
    if (found === '"') {
      cursor.at = at + 1;
      return;
    }
    if (found === "\n" || found === "\r") throw new Found(t("noQuoteOnLine"), opened);
    if (found === "\t") throw new Found(t("tab"), at);
    if (found < " ") throw new Found(t("controlCharacter"), at);
    if (found === "\\") at = afterEscape(cursor, at);
  }
  throw new Found(t("noQuote"), opened);
}

/** The offset of an escape sequence's last character. */
function afterEscape({ t, text }: Cursor, at: number): number {
  const letter = text.charAt(at + 1);
  if (letter !== "" && '"\\/bfnrt'.includes(letter)) return at + 1;
  if (letter === "u") {
    if (/^[0-9a-fA-F]{4}$/.test(text.slice(at + 2, at + 6))) return at + 5;
    throw new Found(t("fourDigits"), at);
  }
  if (letter === "'") throw new Found(t("singleQuoteEscape"), at);
  throw new Found(t("backslash"), at);
}

function readNumber(cursor: Cursor): void {
  const { t, text, at } = cursor;
  number.lastIndex = at;
  const [digits] = number.exec(text) ?? [];
  const written = wordAt(cursor) ?? digits ?? "";
  if (digits === written) {
    cursor.at = at + written.length;
    return;
  }
  if (/^-?0[xX]/.test(written)) throw new Found(t("hexadecimal"), at);
  if (/^-?0\d/.test(written)) throw new Found(t("zerosAtStart"), at);
  if (/_/.test(written)) throw new Found(t("underscores"), at);
  if (/\.$/.test(written)) throw new Found(t("digitAfterPoint"), at);
  if (/^-?Infinity$/.test(written)) throw new Found(t("infinity"), at);
  throw new Found(t("invalidNumber", { written: short(written) }), at);
}

function readWord(cursor: Cursor, expected: Expected): void {
  const { t, at } = cursor;
  const written = wordAt(cursor);
  if (written === null) throw new Found(t("expectedHere", { expected, found: peek(cursor) }), at);
  if (written === "true" || written === "false" || written === "null") {
    cursor.at = at + written.length;
    return;
  }
  const literal = Object.hasOwn(otherLiterals, written) ? otherLiterals[written] : undefined;
  if (literal) throw new Found(t("literal", { literal, written }), at);
  if (written === "NaN" || written === "Infinity") throw new Found(t("notANumber", { written }), at);
  if (/^\+/.test(written)) throw new Found(t("plusSign"), at);
  if (/^\.\d/.test(written)) throw new Found(t("zeroBeforePoint"), at);
  throw new Found(t("quoteString", { written: short(written) }), at);
}

/** Skips JSON whitespace. Look-alike characters and comments are reported as faults. */
function skipSpace(cursor: Cursor): void {
  const { t, text } = cursor;
  while (/[ \t\r\n]/.test(text.charAt(cursor.at))) cursor.at += 1;
  const found = text.charAt(cursor.at);
  const name = invisible[found];
  if (name) throw new Found(t("invisible", { name }), cursor.at);
  if (text.startsWith("//", cursor.at) || text.startsWith("/*", cursor.at) || found === "#")
    throw new Found(t("comment"), cursor.at);
}

function unclosed(cursor: Cursor, opened: number, close: "}" | "]"): Found {
  const line = String(cursor.text.slice(0, opened).split("\n").length);
  const open = close === "}" ? "{" : "[";
  return new Found(cursor.t("endsTooEarly", { close, open, line }), cursor.text.length);
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
