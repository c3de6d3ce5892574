import { Stream } from "node:stream";
import { ApiError } from "#gateway/core/api-error.ts";

/**
 * More values than this are rejected before parsing: parsed brackets and zeros take many times their bytes. The longest
 * chat within the byte limit has fewer.
 */
export const maxBodyValues = 250_000;
/** Deeper values overflow the stack of JSON.stringify, of PostgreSQL's jsonb and of upstreams. */
const maxDepth = 100;

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
