import { isRecord } from "#gateway/models/providers/http/read-body.ts";

const plainName = /^[A-Za-z_$][\w$]*$/;
const indent = "  ";

/**
 * Converts a JSON schema to a TypeScript type. Ranges, patterns and formats are dropped; what TypeScript
 * cannot express becomes `unknown`. Names and texts are written as JSON so that nothing in a schema can end a
 * string or a comment.
 */
export function typeOfSchema(schema: unknown, depth = 0): string {
  if (!isRecord(schema)) return "unknown";
  if ("const" in schema) return literal(schema.const);
  if (Array.isArray(schema.enum)) return union(schema.enum.map(literal));
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(alternatives)) return union(alternatives.map((one) => typeOfSchema(one, depth)));
  if (Array.isArray(schema.type))
    return union(schema.type.map((type) => typeOfSchema({ ...schema, type }, depth)));
  switch (schema.type) {
    case "string":
      return "string";
    case "number":
    case "integer":
      return "number";
    case "boolean":
      return "boolean";
    case "null":
      return "null";
    case "array":
      return `Array<${typeOfSchema(schema.items, depth)}>`;
    case "object":
      return objectType(schema, depth);
    default:
      return isRecord(schema.properties) ? objectType(schema, depth) : "unknown";
  }
}

function objectType(schema: Record<string, unknown>, depth: number): string {
  const properties = isRecord(schema.properties) ? Object.entries(schema.properties) : [];
  const rest = isRecord(schema.additionalProperties)
    ? typeOfSchema(schema.additionalProperties, depth)
    : "unknown";
  if (properties.length === 0) return `Record<string, ${rest}>`;
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const inside = indent.repeat(depth + 1);
  const lines = properties.flatMap(([name, property]) => {
    const type = typeOfSchema(property, depth + 1);
    // A member with a default may be omitted.
    const optional = required.has(name) && !(isRecord(property) && "default" in property) ? "" : "?";
    return [...commentOf(property, inside), `${inside}${keyOf(name)}${optional}: ${type};`];
  });
  return ["{", ...lines, `${indent.repeat(depth)}}`].join("\n");
}

/** The name of a member, quoted if necessary. */
export function keyOf(name: string): string {
  return plainName.test(name) ? name : JSON.stringify(name);
}

/** A member's description as a comment. */
export function commentOf(property: unknown, inside: string): string[] {
  const description = isRecord(property) ? property.description : property;
  if (typeof description !== "string" || description.trim() === "") return [];
  const text = description.replaceAll("*/", "*\u200b/").replace(/\s+/g, " ").trim();
  return [`${inside}/** ${text} */`];
}

function literal(value: unknown): string {
  return value === null || ["string", "number", "boolean"].includes(typeof value)
    ? JSON.stringify(value)
    : "unknown";
}

/** A union without duplicates. */
export function union(types: readonly string[]): string {
  const all = [...new Set(types)];
  return all.length === 0 ? "never" : all.join(" | ");
}
