import { exampleTime, exampleValues, resourceOf } from "./example-values.ts";

type Schema = Record<string, unknown>;

/** Fields that are null or empty if all went well. */
const quiet =
  /error|reason|failure|retried_as|retry_of|revoked|rotated|withdrawn|next_attempt|warning|previous|remixed|^code$|param$/;

/**
 * A plausible value for a JSON schema: every required field, with ids and texts of the resource that `path`
 * leads to. Tests check for each route that it matches the schema.
 */
export function exampleOf(schema: Schema, path: string, name = ""): unknown {
  if ("const" in schema) return schema.const;
  if (Array.isArray(schema.examples)) return schema.examples[0];
  const word = exampleValues[name];
  if (Array.isArray(schema.enum)) return schema.enum.includes(word) ? word : schema.enum[0];
  const branches = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  if (branches) {
    const isNullable = branches.some((branch) => branch.type === "null");
    if (isNullable && quiet.test(name)) return null;
    const branch = branches.find(({ type }) => type !== "null") ?? {};
    return Array.isArray(word) && branches.some(takesList) ? word : exampleOf(branch, path, name);
  }
  switch (schema.type) {
    case "object":
      return isPlainObject(word) ? word : exampleObject(schema, path);
    case "array":
      return quiet.test(name) ? [] : [exampleOf((schema.items ?? {}) as Schema, path, name)];
    case "boolean":
      return name === "confirmed";
    case "integer":
    case "number":
      return exampleNumber(schema, name);
    case "string":
      return exampleText(schema, path, name);
    case "null":
      return null;
    default:
      return word ?? {};
  }
}

function exampleObject(schema: Schema, path: string): Record<string, unknown> {
  const properties = (schema.properties ?? {}) as Record<string, Schema>;
  const required = (schema.required ?? []) as string[];
  const { minProperties = 0, maxProperties = Number.POSITIVE_INFINITY } = schema as Record<string, number>;
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  const more = required.length > 0 ? Math.max(0, minProperties - required.length) : maxProperties;
  const shown = [...required, ...optional.slice(0, more)];
  return Object.fromEntries(shown.map((name) => [name, exampleOf(properties[name] ?? {}, path, name)]));
}

function exampleNumber(schema: Schema, name: string): number {
  const word = exampleValues[name];
  if (typeof word === "number") return Math.min(word, Number(schema.maximum ?? word));
  if (name === "created" || name.endsWith("_at")) return Date.parse(exampleTime) / 1000;
  return Number(schema.minimum ?? 1);
}

function exampleText(schema: Schema, path: string, name: string): string {
  if (schema.format === "date-time" || name.endsWith("_at")) return exampleTime;
  const resource = resourceOf(path);
  if (["id", "first_id", "last_id"].includes(name)) return resource.id;
  if (name === "object" || name === "status" || name === "name" || name === "url") return resource[name];
  const word = exampleValues[name];
  return typeof word === "string" ? word : "…";
}

function takesList({ type, anyOf }: Schema): boolean {
  return type === "array" || ((anyOf ?? []) as Schema[]).some(takesList);
}

function isPlainObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
