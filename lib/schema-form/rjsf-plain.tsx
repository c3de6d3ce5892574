import type { ReactNode } from "react";

// Replaces packages that rjsf imports (next.config.js), and of which a planned form needs next to nothing.

/**
 * For fast-uri, which resolves `$id` and `$ref`: a plan's schema never has them. This saves 25 kB of code in
 * each playground.
 */
const uri = {
  equal: (first: string, second: string): boolean => first === second,
  resolve: (base: string, reference: string): string => new URL(reference, base).href,
};

export default uri;

/** For markdown-to-jsx, which would add 30 kB: the catalog's descriptions are plain text. */
export function Markdown({ children }: { children?: ReactNode }) {
  return <>{children}</>;
}

/**
 * For fast-equals: compares a form's values and properties, in which all functions are equal, as rjsf wants it.
 * An element's owner is the whole page.
 */
export const createCustomEqual = () => (first: unknown, second: unknown) => isEqual(first, second, new Map());

function isEqual(first: unknown, second: unknown, seen: Map<unknown, unknown>): boolean {
  if (Object.is(first, second)) return true;
  if (typeof first === "function") return typeof second === "function";
  if (!isPlain(first) || !isPlain(second) || Array.isArray(first) !== Array.isArray(second)) return false;
  if (seen.get(first) === second) return true;
  seen.set(first, second);
  const keys = Object.keys(first).filter((key) => key !== "_owner");
  return (
    keys.length === Object.keys(second).filter((key) => key !== "_owner").length &&
    keys.every((key) => Object.hasOwn(second, key) && isEqual(first[key], second[key], seen))
  );
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  return Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value));
}

/** For rjsf's own `omitExtraData` and `toPathSchema`, which only a form with the property `omitExtraData` uses. */
export const getUsedFormData = (): never => unused();
export const getFieldNames = (): never => unused();
export const isValueEmpty = (): never => unused();

/** For @x0k/json-schema-merge and its `lib/array`, which merge `allOf`: a plan's schema never has it. */
const unused = (): never => {
  throw new Error("a planned form has no schemas to merge");
};

export const createComparator = () => ({ compareSchemaDefinitions: unused, compareSchemaValues: unused });
export const createMerger = () => ({ mergeArrayOfSchemaDefinitions: unused });
export const createShallowAllOfMerge = () => unused;
export const createDeduplicator = () => unused;
export const createIntersector = () => unused;
