import { randomInt } from "node:crypto";
import { Stream } from "node:stream";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { nextTurn, yieldToEventLoop } from "#gateway/platform/core/event-loop.ts";

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
/**
 * Most names in a body, without those of objects that have the names of an earlier one in the same order. A
 * new name, or a new order, takes the engine up to fifty times as long to parse, because it describes both for
 * later objects. The messages of the longest chat have the same few names.
 */
export const maxNewNames = 30_000;

/** Totals over the JSON texts of one body. */
export interface Counted {
  values: number;
  nameCharacters: number;
  newNames: number;
}

export const nothingCounted: Counted = { values: 0, nameCharacters: 0, newNames: 0 };

/**
 * Adds the counts of a JSON text. Throws `request_too_large` when the total exceeds a body's limits, or one
 * object has too many names.
 */
export function refuseManyValues(text: string, before = nothingCounted): Counted {
  const { names, ...counted } = countValues(text);
  const values = before.values + counted.values;
  const nameCharacters = before.nameCharacters + counted.nameCharacters;
  const newNames = before.newNames + counted.newNames;
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
  if (newNames > maxNewNames)
    throw new ApiError(
      "request_too_large",
      `The objects of the body have more than ${maxNewNames} different names in total. Send fewer; objects with the same names in the same order count once.`,
    );
  if (values > maxBodyValues)
    throw new ApiError("request_too_large", `The body has more than ${maxBodyValues} values. Send fewer.`);
  return { values, nameCharacters, newNames };
}

/**
 * The bracket with which a text of a form begins, if a field could take the text as JSON. A bracket behind more
 * white space does not count, because finding it could take as long as reading the text.
 */
export function bracketOf(text: string): string | undefined {
  return /^\s{0,1000}([[{])/.exec(text)?.[1];
}

const quote = 34;
const comma = 44;
const colon = 58;
const openBracket = 91;
const backslash = 92;
const closeBracket = 93;
const openBrace = 123;
const closeBrace = 125;

/** The names of an object up to one of them, as a number. Used by one count at a time. */
const seen = new Set<number>();
/** Unknown to senders, so that nobody can choose names whose numbers are equal. */
const secret = randomInt(2 ** 31);

/**
 * Estimates, without parsing, how many values a JSON text has, the most names in one object, how many names
 * are new, and the length of all names: one value for every opening bracket and every comma outside strings,
 * plus one. Stops as soon as a limit is exceeded, or the text is clearly not JSON and the counts are
 * meaningless.
 */
export function countValues(text: string): Counted & { names: number } {
  let values = 1;
  let names = 0;
  let nameCharacters = 0;
  seen.clear();
  let strings = 0;
  // The length of the last string, which is a name if a colon follows; 0 after it was counted.
  let stringCharacters = 0;
  let stringEnd = 0;
  // For each enclosing object the number of names so far; for each enclosing list `listHere`.
  const around: number[] = [];
  let here = listHere;
  // The names so far of the object here, and of those around it, as in `seen`.
  const orders: number[] = [];
  let order = secret;
  let passed = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      const end = endOfString(text, at);
      strings += 1;
      stringCharacters = end - at;
      stringEnd = end;
      at = end;
      if (strings > 2 * values) break;
    } else if (code === colon) {
      if (stringCharacters === 0) break;
      nameCharacters += stringCharacters;
      order = hashed(text, stringEnd - stringCharacters, stringEnd, order);
      seen.add(order);
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
      orders.push(order);
      here = code === openBrace ? 1 : listHere;
      order = secret;
    } else if (code === closeBracket || code === closeBrace) {
      const outside = around.pop();
      if (outside === undefined) break;
      here = outside;
      order = orders.pop() ?? secret;
    } else {
      passed += 1;
      if (passed % closeTogether === 0) at = nextCounted(text, at) - 1;
    }
    if (values > maxBodyValues || names > maxNames || nameCharacters > maxNameCharacters) break;
    if (seen.size > maxNewNames) break;
  }
  return { values, names, nameCharacters, newNames: seen.size };
}

/** The hash (FNV-1a) of a part of a text after what was hashed before. */
function hashed(text: string, start: number, end: number, before: number): number {
  let hash = before;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
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
 * Streams and bytes are not checked. Returns a promise only for many values: they are checked in turns, so that
 * other requests proceed in between. With `fields`, only the values of these are checked.
 */
export function refuseUnstorable(values: unknown, fields?: object): Promise<void> | undefined {
  if (!isContainer(values) || ArrayBuffer.isView(values) || values instanceof Stream) return;
  if (leftAfter(values, valuesAtOnce, 0) >= 0) return;
  const walk = walkOf(values, fields);
  return walk.next().done ? undefined : finish(walk);
}

/** The same for values that are few: those of an address, which is short. */
export function refuseUnstorableNow(values: unknown): void {
  if (!isContainer(values) || leftAfter(values, valuesAtOnce, 0) >= 0) return;
  for (const _ of walkOf(values, undefined));
}

const problemFound = -1;

/**
 * A quick look at what nearly all requests are: few values that can all be stored. Returns how many of `left`
 * values remain after these; a negative number sends them to `walkOf`, which says what is wrong.
 */
function leftAfter(value: unknown, left: number, depth: number): number {
  if (depth > maxDepth) return problemFound;
  if (!isContainer(value)) return scalarProblem(value) === null ? left - 1 : problemFound;
  let rest = left - 1;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && rest >= 0; at += 1) rest = leftAfter(value[at], rest, depth + 1);
    return rest;
  }
  for (const name in value) {
    if (rest < 0 || nameProblem(name) !== null) return problemFound;
    rest = leftAfter((value as Record<string, unknown>)[name], rest, depth + 1);
  }
  return rest;
}

async function finish(walk: Generator<void>): Promise<void> {
  const pause = yieldToEventLoop();
  for (const _ of walk) {
    const others = pause();
    if (others) await others;
  }
  await nextTurn();
}

/** After this many names and values the walk offers a pause. */
const valuesAtOnce = 5_000;

/** Walks each field level by level, so that deep nesting cannot overflow the stack. */
function* walkOf(values: object, fields: object | undefined): Generator<void> {
  let left = valuesAtOnce;
  for (const [field, root] of Object.entries(values)) {
    const badName = nameProblem(field);
    if (badName) throw new ApiError("invalid_parameter", `The request ${badName}`);
    const refuse = (problem: string) => invalidParameter(field, `${field} ${problem}`);
    let level = fields && !Object.hasOwn(fields, field) ? [] : [root];
    for (let depth = 1; level.length > 0; depth += 1) {
      if (depth > maxDepth) throw refuse(`must not be nested deeper than ${maxDepth} levels`);
      const next: unknown[] = [];
      for (const value of level) {
        const before = next.length;
        const problem = isContainer(value) ? openContainer(value, next) : scalarProblem(value);
        if (problem) throw refuse(problem);
        left -= 1 + next.length - before;
        if (left > 0) continue;
        left = valuesAtOnce;
        yield;
      }
      level = next;
    }
  }
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

/** Why a text cannot be stored; null if it can. */
export function textProblem(text: string): string | null {
  if (text.includes("\0")) return "must not contain the character U+0000";
  return text.isWellFormed() ? null : "must not contain half of a surrogate pair";
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
