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

/** For @x0k/json-schema-merge and its `lib/array`, which merge `allOf`: a plan's schema never has it. */
const unused = (): never => {
  throw new Error("a planned form has no schemas to merge");
};

export const createComparator = () => ({ compareSchemaDefinitions: unused, compareSchemaValues: unused });
export const createMerger = () => ({ mergeArrayOfSchemaDefinitions: unused });
export const createShallowAllOfMerge = () => unused;
export const createDeduplicator = () => unused;
export const createIntersector = () => unused;
