import { Stream } from "node:stream";
import { ApiError } from "#gateway/platform/core/api-error.ts";

/**
 * More values than this are rejected before parsing: parsed brackets and zeros take many times their bytes. The longest
 * chat within the byte limit has fewer.
 */
export const maxBodyValues = 250_000;
/** Deeper values overflow the stack of JSON.stringify, of PostgreSQL's jsonb and of upstreams. */
const maxDepth = 100;

/** More names in one object are rejected before parsing: each is kept, sorted and compared. */
export const maxNames = 5_000;
/** All names of a body together; each is looked up among all that the process knows. */
export const maxNameCharacters = 5_000_000;

/** What the JSON texts of one body hold together. */
export interface Counted {
  values: number;
  nameCharacters: number;
}

export const nothingCounted: Counted = { values: 0, nameCharacters: 0 };

/** Adds what a JSON text holds. Throws `request_too_large` when all have more than a body may have, or one object more names. */
export function refuseManyValues(text: string, before = nothingCounted): Counted {
  const { names, ...counted } = countValues(text);
  const values = before.values + counted.values;
  const nameCharacters = before.nameCharacters + counted.nameCharacters;
  if (names > maxNames)
    throw new ApiError("request_too_large", `An object of the body has more than ${maxNames} names.`);
  if (nameCharacters > maxNameCharacters)
    throw new ApiError(
      "request_too_large",
      `The names in the body have more than ${maxNameCharacters} characters.`,
    );
  if (values > maxBodyValues)
    throw new ApiError("request_too_large", `The body has more than ${maxBodyValues} values.`);
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
 * About how many values a JSON text holds, how many names the object with the most of them, and how long all names are, without
 * parsing it: a value for every bracket that opens and every comma outside strings, plus one. Stops counting where anything is
 * too much, or where it is plain that the text is not JSON, for which the numbers have no meaning.
 */
export function countValues(text: string): Counted & { names: number } {
  let values = 1;
  let names = 0;
  let nameCharacters = 0;
  let strings = 0;
  // Of the last string, which a colon turns into a name; 0 after that.
  let stringCharacters = 0;
  // Of the objects around the place: how many names they have had; of lists, that they have none.
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

/** In a list, where commas part no names. */
const listHere = -1;

/** The index of the next character, from `start` on, that is not of a number, a word or white space; the text's length without one. */
function nextCounted(text: string, start: number): number {
  countedMark.lastIndex = start;
  return countedMark.test(text) ? countedMark.lastIndex - 1 : text.length;
}

const countedMark = /[":,[\]{}]/g;

/** The index of the quote that closes the string opened at `start`; the text's length without one. */
function endOfString(text: string, start: number): number {
  let at = text.indexOf('"', start + 1);
  while (at >= 0) {
    let before = at;
    while (text.charCodeAt(before - 1) === backslash) before -= 1;
    if ((at - before) % 2 === 0) return at;
    // Where quotes stand close together, looking at each character is quicker than a search for each quote.
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

/** After so many characters of no interest a search is quicker than a look at each. */
const closeTogether = 8;

/**
 * Throws `invalid_parameter`, naming the top-level field, when something in `values` cannot be stored or compared:
 * U+0000 and lone surrogates (PostgreSQL, RFC 8785), numbers that are not finite, deep nesting. Streams and bytes
 * are left alone.
 */
export function refuseUnstorable(values: unknown): void {
  if (!isContainer(values) || ArrayBuffer.isView(values) || values instanceof Stream) return;
  for (const [name, value] of Object.entries(values)) {
    const badName = nameProblem(name);
    if (badName) throw new ApiError("invalid_parameter", `The request ${badName}`);
    const problem = problemOf(value);
    if (problem) throw new ApiError("invalid_parameter", `${name} ${problem}`, { param: name });
  }
}

/** Walks level by level, so that no depth of nesting overflows the stack. */
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

/** `__proto__` names a prototype as soon as something copies the object by assignment. */
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
