import { isRecord, isSame, type JsonRecord } from "./json-values.ts";

/** Words about a value; they restrict nothing, and the outer schema's win. */
const words = new Set([
  "title",
  "description",
  "default",
  "example",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
]);

/** Keywords that mean something together only: of such a group one schema may have some, or both the same. */
const groups = [
  ["items", "prefixItems"],
  ["contains", "minContains", "maxContains"],
  ["if", "then", "else"],
  ["additionalProperties"],
  ["propertyNames"],
  ["dependentRequired"],
  ["dependentSchemas"],
  ["pattern"],
  ["format"],
  ["multipleOf"],
  ["anyOf", "discriminator"],
  ["oneOf", "discriminator"],
  ["not"],
];

const strictest: Record<string, (first: number, second: number) => number> = {
  minimum: Math.max,
  exclusiveMinimum: Math.max,
  minLength: Math.max,
  minItems: Math.max,
  minProperties: Math.max,
  maximum: Math.min,
  exclusiveMaximum: Math.min,
  maxLength: Math.min,
  maxItems: Math.min,
  maxProperties: Math.min,
};

/** One schema that takes what both take; both in an `allOf` where that cannot be written in one. */
export function merged(outer: JsonRecord, inner: JsonRecord): JsonRecord {
  const one = inOne(outer, inner);
  if (one) return one;
  const said = Object.fromEntries(Object.entries(inner).filter(([key]) => isWord(key) && !(key in outer)));
  const rules = Object.fromEntries(Object.entries(inner).filter(([key]) => !isWord(key)));
  const all = Array.isArray(outer.allOf) ? outer.allOf : [];
  return { ...said, ...outer, allOf: [...all, rules] };
}

function isWord(key: string): boolean {
  return words.has(key) || key.startsWith("x-");
}

function inOne(outer: JsonRecord, inner: JsonRecord): JsonRecord | null {
  if (closes(outer, inner) || closes(inner, outer)) return null;
  for (const group of groups) {
    const [first, second] = [outer, inner].map((schema) => group.filter((key) => key in schema));
    if (!first?.length || !second?.length) continue;
    if (!group.every((key) => isSame(outer[key], inner[key]))) return null;
  }
  const both: JsonRecord = { ...inner, ...outer };
  for (const key of Object.keys(inner)) {
    if (!(key in outer) || isWord(key)) continue;
    const value = together(key, outer[key], inner[key]);
    if (value === undefined) return null;
    both[key] = value;
  }
  return both;
}

/** Whether one refuses keys that only the other lists: `additionalProperties` does not see the other's. */
function closes(one: JsonRecord, other: JsonRecord): boolean {
  if (one.additionalProperties === undefined || isSame(one.additionalProperties, {})) return false;
  const known = isRecord(one.properties) ? one.properties : {};
  const named = isRecord(other.properties) ? Object.keys(other.properties) : [];
  return named.some((name) => !Object.hasOwn(known, name));
}

/** The value of a keyword that both have; undefined where there is none. */
function together(key: string, outer: unknown, inner: unknown): unknown {
  if (isSame(outer, inner)) return outer;
  const strict = strictest[key];
  if (strict) return strict(Number(outer), Number(inner));
  switch (key) {
    case "type":
      return sharedTypes([outer].flat(), [inner].flat());
    case "enum": {
      const shared = (outer as unknown[]).filter((each) =>
        (inner as unknown[]).some((at) => isSame(at, each)),
      );
      return shared.length > 0 ? shared : undefined;
    }
    case "required":
      return [...new Set([...(outer as string[]), ...(inner as string[])])];
    case "uniqueItems":
      return true;
    case "allOf":
      return [...(outer as unknown[]), ...(inner as unknown[])];
    case "properties":
      return sharedProperties(outer as JsonRecord, inner as JsonRecord);
    default:
      return undefined;
  }
}

function sharedTypes(outer: unknown[], inner: unknown[]): unknown {
  const shared = outer.flatMap((type) => {
    if (inner.includes(type)) return [type];
    if (type === "integer" && inner.includes("number")) return [type];
    return type === "number" && inner.includes("integer") ? ["integer"] : [];
  });
  return shared.length > 1 ? [...new Set(shared)] : shared[0];
}

function sharedProperties(outer: JsonRecord, inner: JsonRecord): JsonRecord {
  const names = [...new Set([...Object.keys(inner), ...Object.keys(outer)])];
  return Object.fromEntries(
    names.map((name) => {
      const [first, second] = [outer, inner].map((all) => (Object.hasOwn(all, name) ? all[name] : undefined));
      return [name, isRecord(first) && isRecord(second) ? merged(first, second) : (first ?? second)];
    }),
  );
}
