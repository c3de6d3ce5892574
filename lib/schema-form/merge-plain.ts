/**
 * Stands in for @x0k/json-schema-merge (next.config.js): rjsf folds `allOf` together with it, and the schemas that a
 * plan makes have none. `createDeduplicator` and `createIntersector` belong to its `lib/array`.
 */
const unused = (): never => {
  throw new Error("a planned form has no schemas to merge");
};

export const createComparator = () => ({ compareSchemaDefinitions: unused, compareSchemaValues: unused });
export const createMerger = () => ({ mergeArrayOfSchemaDefinitions: unused });
export const createShallowAllOfMerge = () => unused;
export const createDeduplicator = () => unused;
export const createIntersector = () => unused;
