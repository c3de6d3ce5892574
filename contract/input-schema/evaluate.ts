import { hasFewerCharacters, hasMoreCharacters } from "../characters.ts";
import { formats } from "./formats.ts";
import { hasTwins, isRecord, isSame, type JsonRecord } from "./json-values.ts";

/** One keyword of a schema that a value violates. */
export interface Failure {
  /** The path to the value. For a missing or unknown key, it ends with that key. */
  path: (string | number)[];
  keyword: string;
  /** The schema with the violated keyword, and the value. */
  schema: JsonRecord;
  value: unknown;
  /** For a failed `anyOf` or `oneOf`: each branch's violations; empty when too many branches matched. */
  branches?: Failure[][];
}

/** Whether a text matches a pattern. */
export type Matches = (pattern: string, text: string) => boolean;

/**
 * The violations of a plain schema (`check-schema.ts`) by a value; the gateway's ajv gives the same result.
 * This code compiles nothing, so it runs under a strict content security policy. It passes every pattern to
 * `matches`.
 */
export function evaluate(schema: unknown, value: unknown, matches: Matches): Failure[] {
  return check(schema, value, [], matches);
}

type Path = (string | number)[];

function check(schema: unknown, value: unknown, path: Path, matches: Matches): Failure[] {
  if (schema === false) return [{ path, keyword: "false", schema: {}, value }];
  if (!isRecord(schema)) return [];
  const failures: Failure[] = [];
  const fail = (keyword: string, at: Path = path) =>
    failures.push({ path: at, keyword, schema, value: at === path ? value : undefined });
  const within = (part: unknown, inner: unknown, at: Path) =>
    failures.push(...check(part, inner, at, matches));
  const holds = (part: unknown, inner: unknown = value) => check(part, inner, path, matches).length === 0;

  if ("type" in schema && ![schema.type].flat().some((type) => isOfType(type, value))) fail("type");
  if ("const" in schema && !isSame(schema.const, value)) fail("const");
  if (Array.isArray(schema.enum) && !schema.enum.some((each) => isSame(each, value))) fail("enum");
  if (typeof value === "number") for (const keyword of numberFaults(schema, value)) fail(keyword);
  if (typeof value === "string") for (const keyword of textFaults(schema, value, matches)) fail(keyword);
  if (Array.isArray(value)) {
    for (const keyword of listFaults(schema, value, holds)) fail(keyword);
    const first = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
    for (const [at, item] of value.entries())
      within(at < first.length ? first[at] : schema.items, item, [...path, at]);
  }
  if (isRecord(value)) {
    const keys = Object.keys(value);
    const properties = isRecord(schema.properties) ? schema.properties : {};
    for (const name of namesOf(schema.required))
      if (!Object.hasOwn(value, name)) fail("required", [...path, name]);
    if (isLess(keys.length, schema.minProperties)) fail("minProperties");
    if (isMore(keys.length, schema.maxProperties)) fail("maxProperties");
    for (const [name, part] of Object.entries(properties))
      if (Object.hasOwn(value, name)) within(part, value[name], [...path, name]);
    for (const key of keys) {
      const at = [...path, key];
      if ("propertyNames" in schema && !holds(schema.propertyNames, key)) fail("propertyNames", at);
      if (Object.hasOwn(properties, key)) continue;
      if (schema.additionalProperties === false) fail("additionalProperties", at);
      else within(schema.additionalProperties, value[key], at);
    }
    for (const [key, names] of entriesOf(schema.dependentRequired))
      if (Object.hasOwn(value, key))
        for (const name of namesOf(names))
          if (!Object.hasOwn(value, name)) fail("dependentRequired", [...path, name]);
    for (const [key, part] of entriesOf(schema.dependentSchemas))
      if (Object.hasOwn(value, key)) within(part, value, path);
  }
  for (const part of listOf(schema.allOf)) within(part, value, path);
  for (const keyword of ["anyOf", "oneOf"] as const) {
    if (!Array.isArray(schema[keyword])) continue;
    const branches = schema[keyword].map((part) => check(part, value, path, matches));
    const taken = branches.filter((found) => found.length === 0).length;
    if (taken === 0) failures.push({ path, keyword, schema, value, branches });
    else if (keyword === "oneOf" && taken > 1) failures.push({ path, keyword, schema, value, branches: [] });
  }
  if ("not" in schema && holds(schema.not)) fail("not");
  if ("if" in schema) within(holds(schema.if) ? schema.then : schema.else, value, path);
  return failures;
}

function isOfType(type: unknown, value: unknown): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isRecord(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

/** Decimal fractions do not divide exactly: 0.3 counts as a multiple of 0.1, as in the gateway's ajv. */
export const multipleOfPrecision = 9;

function numberFaults(schema: JsonRecord, value: number): string[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const times = typeof multipleOf === "number" ? value / multipleOf : 0;
  return [
    isLess(value, minimum) && "minimum",
    isMore(value, maximum) && "maximum",
    typeof exclusiveMinimum === "number" && value <= exclusiveMinimum && "exclusiveMinimum",
    typeof exclusiveMaximum === "number" && value >= exclusiveMaximum && "exclusiveMaximum",
    Math.abs(Math.round(times) - times) > 10 ** -multipleOfPrecision && "multipleOf",
  ].filter((keyword) => keyword !== false);
}

function textFaults(schema: JsonRecord, value: string, matches: Matches): string[] {
  const { minLength, maxLength, pattern, format } = schema;
  return [
    typeof minLength === "number" && hasFewerCharacters(value, minLength) && "minLength",
    typeof maxLength === "number" && hasMoreCharacters(value, maxLength) && "maxLength",
    typeof pattern === "string" && !matches(pattern, value) && "pattern",
    typeof format === "string" && Object.hasOwn(formats, format) && !formats[format]?.(value) && "format",
  ].filter((keyword) => keyword !== false);
}

function listFaults(
  schema: JsonRecord,
  value: unknown[],
  holds: (part: unknown, item: unknown) => boolean,
): string[] {
  const { minItems, maxItems, uniqueItems, contains, minContains = 1, maxContains } = schema;
  const found = contains === undefined ? 0 : value.filter((item) => holds(contains, item)).length;
  return [
    isLess(value.length, minItems) && "minItems",
    isMore(value.length, maxItems) && "maxItems",
    uniqueItems === true && hasTwins(value) && "uniqueItems",
    contains !== undefined && (isLess(found, minContains) || isMore(found, maxContains)) && "contains",
  ].filter((keyword) => keyword !== false);
}

function isLess(value: number, bound: unknown): boolean {
  return typeof bound === "number" && value < bound;
}

function isMore(value: number, bound: unknown): boolean {
  return typeof bound === "number" && value > bound;
}

function namesOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name): name is string => typeof name === "string") : [];
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function entriesOf(value: unknown): [string, unknown][] {
  return isRecord(value) ? Object.entries(value) : [];
}
