/** Limits of an input schema that somebody else wrote, counted after its references are resolved. */
export const schemaLimits = {
  /** Largest size as JSON text. */
  bytes: 200_000,
  /** Deepest nesting of schemas. */
  depth: 24,
  /** Most schemas, nested ones included. */
  schemas: 2_000,
  /** Most values in all `enum` lists together. */
  enumValues: 5_000,
  properties: 500,
  patternCharacters: 1_000,
} as const;

/** The reason why a schema is refused. `place` is a JSON pointer into the original schema. */
export class Refusal extends Error {
  readonly place: string;
  readonly reason: string;

  constructor(place: string, reason: string) {
    super(reason);
    this.place = place;
    this.reason = reason;
  }
}
