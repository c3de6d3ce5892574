/**
 * Replaces @x0k/json-schema-merge (next.config.js). rjsf uses that package for `allOf`, which a plan's schema
 * never has. rjsf imports `createDeduplicator` and `createIntersector` from its `lib/array`, which is
 * replaced by this file too.
 */
const unused = (): never => {
  throw new Error("a planned form has no schemas to merge");
};

export const createComparator = () => ({ compareSchemaDefinitions: unused, compareSchemaValues: unused });
export const createMerger = () => ({ mergeArrayOfSchemaDefinitions: unused });
export const createShallowAllOfMerge = () => unused;
export const createDeduplicator = () => unused;
export const createIntersector = () => unused;
