import { Stream } from "node:stream";
import { ApiError } from "#gateway/core/api-error.ts";

/** Deeper values overflow the stack of JSON.stringify, of PostgreSQL's jsonb and of upstreams. */
const maxDepth = 100;

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
