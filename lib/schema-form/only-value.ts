import type { JsonSchema } from "#contract/catalog.ts";
import { numberOf, typeOf } from "./json.ts";

/** The only value that a schema allows; undefined if it allows more. */
export function onlyValue(schema: JsonSchema): unknown {
  if ("const" in schema) return schema.const;
  if (Array.isArray(schema.enum) && schema.enum.length === 1) return schema.enum[0];
  const min = numberOf(schema.minimum);
  if (typeOf(schema) === "integer" && min !== null && min === numberOf(schema.maximum)) return min;
  return undefined;
}
