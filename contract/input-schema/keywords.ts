import { byName } from "../by-name.ts";
import { isRecord, type JsonRecord } from "./json-values.ts";
import { Refusal, schemaLimits } from "./limits.ts";
import { linearPattern } from "./pattern.ts";

/** How to read the value of a keyword without subschemas. Error messages contain the description. */
type Reader = (value: unknown, place: string) => unknown;

const types = new Set(["null", "boolean", "integer", "number", "string", "array", "object"]);

const number = must("a number", (value) => typeof value === "number" && Number.isFinite(value));
const count = must("a whole number from 0", (value) => Number.isInteger(value) && Number(value) >= 0);
const text = must("a string", isText);
const truth = must("true or false", isTruth);
const names: Reader = (value, place) => [
  ...new Set(must("a list of names", isNames)(value, place) as string[]),
];
const anything: Reader = (value) => value;

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function isTruth(value: unknown): boolean {
  return typeof value === "boolean";
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}

/** The keywords of a plain schema that contain no other schema. */
export const plainKeywords = byName<Reader>({
  title: said(isText),
  description: said(isText),
  default: anything,
  example: anything,
  examples: said(Array.isArray),
  deprecated: said(isTruth),
  readOnly: said(isTruth),
  writeOnly: said(isTruth),
  type: readType,
  const: anything,
  enum: must("a list of at least one value", (value) => Array.isArray(value) && value.length > 0),
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  multipleOf: must("a number above 0", (value) => typeof value === "number" && value > 0),
  minLength: count,
  maxLength: count,
  pattern: readPattern,
  format: text,
  contentMediaType: said(isText),
  contentEncoding: said(isText),
  minItems: count,
  maxItems: count,
  uniqueItems: truth,
  minContains: count,
  maxContains: count,
  required: names,
  minProperties: count,
  maxProperties: count,
  dependentRequired: must(
    "an object of lists of names",
    (value) => isRecord(value) && Object.values(value).every(isNames),
  ),
  discriminator: (value) =>
    isRecord(value) && typeof value.propertyName === "string"
      ? { propertyName: value.propertyName }
      : undefined,
});

/** Keywords that can change what is valid, but that a plain schema cannot express. */
export const unsupported = byName<string>({
  $dynamicRef: "refers to a schema that depends on where it is used",
  $recursiveRef: "refers to a schema that depends on where it is used",
  unevaluatedItems: "depends on which values other parts of the schema have checked",
});

function must(what: string, fits: (value: unknown) => boolean): Reader {
  return (value, place) => {
    if (!fits(value)) throw new Refusal(place, `must be ${what}`);
    return value;
  };
}

/** A keyword that only describes is left out if it has an invalid value. */
function said(fits: (value: unknown) => boolean): Reader {
  return (value) => (fits(value) ? value : undefined);
}

function readType(value: unknown, place: string): unknown {
  const named = [value].flat();
  if (named.length === 0 || !named.every((type) => typeof type === "string" && types.has(type)))
    throw new Refusal(place, `must be one of ${[...types].join(", ")}, or a list of them`);
  return named.length === 1 ? named[0] : [...new Set(named)];
}

function readPattern(value: unknown, place: string): unknown {
  if (typeof value !== "string") throw new Refusal(place, "must be a string");
  if (value.length > schemaLimits.patternCharacters)
    throw new Refusal(
      place,
      `is a pattern of ${value.length} characters; the maximum is ${schemaLimits.patternCharacters}`,
    );
  try {
    linearPattern(value);
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^error parsing regexp: /, "") : "unreadable";
    throw new Refusal(
      place,
      `is a pattern that cannot run in linear time (${why}); write it without look-ahead, look-behind and back references`,
    );
  }
  return value;
}

/** Keywords of older drafts and of OpenAPI 3.0, each with its current equivalent. */
export function modernised(schema: JsonRecord): JsonRecord {
  const today: JsonRecord = { ...schema };
  for (const [exclusive, bound] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    if (typeof today[exclusive] !== "boolean") continue;
    if (today[exclusive] && bound in today) {
      today[exclusive] = today[bound];
      delete today[bound];
    } else delete today[exclusive];
  }
  if (Array.isArray(today.items)) {
    today.prefixItems = today.items;
    delete today.items;
    if ("additionalItems" in today) today.items = today.additionalItems;
  }
  if (isRecord(today.dependencies)) {
    const all = Object.entries(today.dependencies);
    const [lists, parts] = [true, false].map((list) =>
      Object.fromEntries(all.filter(([, value]) => Array.isArray(value) === list)),
    );
    today.dependentRequired = { ...lists, ...(isRecord(today.dependentRequired) && today.dependentRequired) };
    today.dependentSchemas = { ...parts, ...(isRecord(today.dependentSchemas) && today.dependentSchemas) };
  }
  // `required` inside a property: draft 3 had it, and some generators still write it.
  if (typeof today.required === "boolean") delete today.required;
  return today;
}
