import type { JsonSchema } from "#contract/catalog.ts";

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function numberOf(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

export function stringsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}

/** The schema in a keyword. An empty schema if the keyword is missing. */
export function schemaAt(schema: JsonSchema, keyword: string): JsonSchema {
  const value = schema[keyword];
  return isObject(value) ? value : {};
}

/** The branches of a union, whichever keyword it uses. Empty if the schema is not a union. */
export function branchesOf(schema: JsonSchema): JsonSchema[] {
  const union = schema.oneOf ?? schema.anyOf;
  return Array.isArray(union) ? union.filter(isObject) : [];
}

/** The type of a schema, without `null`. */
export function typeOf(schema: JsonSchema): string | null {
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  const named = types.filter((type): type is string => typeof type === "string" && type !== "null");
  return named.length === 1 ? (named[0] ?? null) : null;
}

/** Whether a schema says nothing about its value. */
export function isShapeless(schema: JsonSchema): boolean {
  const shape = [
    "type",
    "enum",
    "const",
    "oneOf",
    "anyOf",
    "allOf",
    "properties",
    "items",
    "$ref",
    "x-svc-media",
  ];
  return !shape.some((keyword) => keyword in schema);
}
