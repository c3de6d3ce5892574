import { Stream } from "node:stream";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";

/**
 * Bodies with more values are rejected before parsing: parsed brackets and zeros take many times their bytes.
 * The longest chat within the byte limit has fewer.
 */
export const maxBodyValues = 250_000;
/** Deeper nesting overflows the stack of JSON.stringify, of PostgreSQL's jsonb and of upstreams. */
const maxDepth = 100;

/** Objects with more names are rejected before parsing: each name is stored, sorted and compared. */
export const maxNames = 5_000;
/**
 * The total length of all names in a body. Bounded, because the engine looks each of them up among all names
 * known to the process.
 */
export const maxNameCharacters = 5_000_000;

/** Totals over the JSON texts of one body. */
export interface Counted {
  values: number;
  nameCharacters: number;
}

export const nothingCounted: Counted = { values: 0, nameCharacters: 0 };

/**
 * Adds the counts of a JSON text. Throws `request_too_large` when the total exceeds a body's limits, or one
 * object has too many names.
 */
export function refuseManyValues(text: string, before = nothingCounted): Counted {
  const { names, ...counted } = countValues(text);
  const values = before.values + counted.values;
  const nameCharacters = before.nameCharacters + counted.nameCharacters;
  if (names > maxNames)
    throw new ApiError(
      "request_too_large",
      `An object of the body has more than ${maxNames} names. Send fewer.`,
    );
  if (nameCharacters > maxNameCharacters)
    throw new ApiError(
      "request_too_large",
      `The names in the body have more than ${maxNameCharacters} characters in total. Send fewer or shorter ones.`,
    );
  if (values > maxBodyValues)
    throw new ApiError("request_too_large", `The body has more than ${maxBodyValues} values. Send fewer.`);
  return { values, nameCharacters };
}

const quote = 34;
const comma = 44;
const colon = 58;
const openBracket = 91;
const backslash = 92;
const closeBracket = 93;
const openBrace = 123;
const closeBrace = 125;

/**
 * Estimates, without parsing, how many values a JSON text has, the most names in one object, and the length
 * of all names: one value for every opening bracket and every comma outside strings, plus one. Stops as soon
 * as a limit is exceeded, or the text is clearly not JSON and the counts are meaningless.
 */
export function countValues(text: string): Counted & { names: number } {
  let values = 1;
  let names = 0;
  let nameCharacters = 0;
  let strings = 0;
  // The length of the last string, which is a name if a colon follows; 0 after it was counted.
  let stringCharacters = 0;
  // For each enclosing object the number of names so far; for each enclosing list `listHere`.
  const around: number[] = [];
  let here = listHere;
  let passed = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      const end = endOfString(text, at);
      strings += 1;
      stringCharacters = end - at;
      at = end;
      if (strings > 2 * values) break;
    } else if (code === colon) {
      if (stringCharacters === 0) break;
      nameCharacters += stringCharacters;
      stringCharacters = 0;
    } else if (code === comma) {
      values += 1;
      if (here !== listHere) {
        here += 1;
        if (here > names) names = here;
      }
    } else if (code === openBracket || code === openBrace) {
      values += 1;
      around.push(here);
      here = code === openBrace ? 1 : listHere;
    } else if (code === closeBracket || code === closeBrace) {
      const outside = around.pop();
      if (outside === undefined) break;
      here = outside;
    } else {
      passed += 1;
      if (passed % closeTogether === 0) at = nextCounted(text, at) - 1;
    }
    if (values > maxBodyValues || names > maxNames || nameCharacters > maxNameCharacters) break;
  }
  return { values, names, nameCharacters };
}

/** Marks a list, whose commas do not separate names. */
const listHere = -1;

/**
 * The index of the next character from `start` that is not part of a number, a word or white space; the
 * text's length if there is no such character.
 */
function nextCounted(text: string, start: number): number {
  countedMark.lastIndex = start;
  return countedMark.test(text) ? countedMark.lastIndex - 1 : text.length;
}

const countedMark = /[":,[\]{}]/g;

/** The index of the quote that closes the string opened at `start`; the text's length if there is none. */
function endOfString(text: string, start: number): number {
  let at = text.indexOf('"', start + 1);
  while (at >= 0) {
    let before = at;
    while (text.charCodeAt(before - 1) === backslash) before -= 1;
    if ((at - before) % 2 === 0) return at;
    // If quotes are close together, checking each character is faster than searching for each quote.
    const near = at + closeTogether;
    for (at += 1; at < near; at += 1) {
      const code = text.charCodeAt(at);
      if (code === quote) return at;
      if (code === backslash) at += 1;
    }
    at = text.indexOf('"', at);
  }
  return text.length;
}

/** After this many characters a search is faster than checking each one. */
const closeTogether = 8;

/**
 * Throws `invalid_parameter`, naming the top-level field, if something in `values` cannot be stored or
 * compared: U+0000 and lone surrogates (PostgreSQL, RFC 8785), numbers that are not finite, deep nesting.
 * Streams and bytes are not checked.
 */
export function refuseUnstorable(values: unknown): void {
  if (!isContainer(values) || ArrayBuffer.isView(values) || values instanceof Stream) return;
  for (const [name, value] of Object.entries(values)) {
    const badName = nameProblem(name);
    if (badName) throw new ApiError("invalid_parameter", `The request ${badName}`);
    const problem = problemOf(value);
    if (problem) throw invalidParameter(name, `${name} ${problem}`);
  }
}

/** Walks level by level, so that deep nesting cannot overflow the stack. */
function problemOf(root: unknown): string | null {
  let level = [root];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > maxDepth) return `must not be nested deeper than ${maxDepth} levels`;
    const next: unknown[] = [];
    for (const value of level) {
      const problem = isContainer(value) ? openContainer(value, next) : scalarProblem(value);
      if (problem) return problem;
    }
    level = next;
  }
  return null;
}

/** Adds the contained values to `next`; returns the problem with a name, if any. */
function openContainer(value: object, next: unknown[]): string | null {
  if (Array.isArray(value)) {
    for (const item of value) next.push(item);
    return null;
  }
  for (const [name, item] of Object.entries(value)) {
    const problem = nameProblem(name);
    if (problem) return problem;
    next.push(item);
  }
  return null;
}

function scalarProblem(value: unknown): string | null {
  if (typeof value === "string") return textProblem(value);
  return typeof value === "number" && !Number.isFinite(value) ? "must not have numbers beyond 1.8e308" : null;
}

/** `__proto__` would set a prototype as soon as code copies the object by assignment. */
function nameProblem(name: string): string | null {
  if (name === "__proto__") return "must not contain a field called `__proto__`";
  const problem = textProblem(name);
  return problem && `${problem} in the name of a field`;
}

function textProblem(text: string): string | null {
  if (text.includes("\0")) return "must not contain the character U+0000";
  return text.isWellFormed() ? null : "must not contain half of a surrogate pair";
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
