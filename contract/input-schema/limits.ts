/** What an input schema that somebody else wrote may have at most, after its references were resolved. */
export const schemaLimits = {
  /** As JSON text. */
  bytes: 200_000,
  /** Schemas inside schemas. */
  depth: 24,
  /** Schemas in all. */
  schemas: 2_000,
  /** Of all lists of values together. */
  enumValues: 5_000,
  properties: 500,
  patternCharacters: 1_000,
} as const;
