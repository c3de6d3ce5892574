import type { ErrorObject } from "ajv";
import { byName } from "../by-name.ts";
import type { ErrorDetail } from "../error.ts";
import { nearestName } from "../nearest-name.ts";

/** At most this many body keys are compared with a missing one. */
const maxCompared = 50;

/** A sentence names at most this many missing fields, and values of each. */
const maxNamed = 8;

/** The properties of a schema, whose enums a sentence about missing fields quotes. */
type Properties = Readonly<Record<string, { enum?: unknown } | undefined>>;

/**
 * The sentence of an error about a request: its first problem. If that is a missing field, the sentence names all
 * fields that are missing beside it, with their choices. `properties` are those of the object that lacks the field.
 */
export function faultSentence(
  subject: string,
  problems: readonly ErrorDetail[],
  properties: Properties = {},
): string {
  const [first] = problems;
  if (first?.keyword !== "required") return `${subject} ${first?.message ?? "is not valid"}`;
  const place = first.path.slice(0, first.path.lastIndexOf("/") + 1);
  const isBeside = ({ keyword, path }: ErrorDetail) =>
    keyword === "required" && path.startsWith(place) && !path.slice(place.length).includes("/");
  const missing = problems.filter(isBeside).map(({ path }) => path.slice(place.length));
  const choices = missing.map((name) => choicesOf(properties[name]?.enum));
  const [only] = choices;
  if (missing.length === 1)
    return `${subject} ${first.message}${only && first.message === "is required" ? `: ${only}` : ""}`;
  const names = missing.map((name, at) => {
    const whole = at === 0 ? subject : name;
    return choices[at] ? `${whole} (${choices[at]})` : whole;
  });
  const named = names.slice(0, maxNamed);
  const rest = names.length - named.length;
  const last = rest > 0 ? `${rest} more fields` : named.pop();
  return `${named.join(", ")} and ${last} are required`;
}

/** `one of "low", "high"`. Null: the field has no enum. */
function choicesOf(values: unknown): string | null {
  if (!Array.isArray(values)) return null;
  return oneOf(values.slice(0, maxNamed)) + (values.length > maxNamed ? ", …" : "");
}

/** The problem with a value, in plain words. */
export function messageOf({ keyword, params, parentSchema, message, data }: ErrorObject): string {
  const schema: Record<string, unknown> = parentSchema ?? {};
  const { limit } = params;
  switch (keyword) {
    case "required":
      return `is required${misspeltWords(String(params.missingProperty), keysOf(schema.properties), data)}`;
    case "type":
      return `must be ${[params.type].flat().map(typeName).join(" or ")}`;
    case "enum":
      return `must be ${oneOf(params.allowedValues)}`;
    case "const":
      return `must be ${JSON.stringify(params.allowedValue)}`;
    case "minimum":
      return `must be at least ${limit}`;
    case "maximum":
      return `must be at most ${limit}`;
    case "minLength":
      return limit === 1 ? "must not be empty" : `must be at least ${limit} characters long`;
    case "maxLength":
      return `must be at most ${limit} characters long`;
    case "minItems":
    case "maxItems":
      return `must have ${itemCount(schema.minItems, schema.maxItems)}`;
    case "additionalProperties":
      return `is not a known key here${meantWords(String(params.additionalProperty), schema, data)}`;
    case "discriminator":
      return `must be ${oneOf(branchTags(schema, params.tag))}`;
    case "format":
      if (params.format === "date-time") return "must be a time, such as 2026-01-31T09:30:00Z";
      return message ?? "is not valid";
    case "pattern":
      return patternMessage(String(params.pattern), schema.examples);
    case "anyOf":
    case "oneOf":
      return choiceMessage(schema[keyword]);
    default:
      return message ?? "is not valid";
  }
}

/** The known key that an unknown one probably misspells, unless that key is also present. */
function meantWords(name: string, { properties }: Record<string, unknown>, value: unknown): string {
  // Looks up each known key in the object. Listing the object's keys, which come from a stranger, would
  // repeat that work for each known key.
  const unused = keysOf(properties).filter((known) => !Object.hasOwn(Object(value), known));
  const meant = nearestName(name, unused);
  return meant === null ? "" : `; did you mean ${meant}?`;
}

/** A missing key may be present under a misspelt name, because most schemas allow unknown names. */
export function misspeltWords(name: string, known: readonly string[], value: unknown): string {
  const strangers = keysOf(value)
    .filter((key) => !known.includes(key))
    .slice(0, maxCompared);
  const misspelt = nearestName(name, strangers);
  return misspelt === null ? "" : `; did you misspell it as ${misspelt}?`;
}

function keysOf(value: unknown): string[] {
  return typeof value === "object" && value !== null ? Object.keys(value) : [];
}

/** Few people read patterns, so the message shows the schema's example first if there is one. */
function patternMessage(pattern: string, examples: unknown): string {
  if (pattern === "\\S") return "must not be blank";
  const [example] = Array.isArray(examples) ? examples : [];
  return example === undefined
    ? `must match the pattern ${pattern}`
    : `must be written like ${JSON.stringify(example)} (pattern ${pattern})`;
}

const typeNames = byName<string>({
  string: "a string",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
});

function typeName(type: string): string {
  return typeNames[type] ?? type;
}

function oneOf(values: unknown): string {
  const list = Array.isArray(values) ? values.map((value) => JSON.stringify(value)) : [];
  return list.length === 1 ? String(list[0]) : `one of ${list.join(", ")}`;
}

function itemCount(least: unknown, most: unknown): string {
  const items = (count: unknown) => `${count} ${count === 1 ? "item" : "items"}`;
  if (least === most) return `exactly ${items(least)}`;
  if (least === undefined) return `at most ${items(most)}`;
  return most === undefined ? `at least ${items(least)}` : `${least} to ${items(most)}`;
}

function branchTags(schema: Record<string, unknown>, tag: string): unknown[] {
  const branches = Array.isArray(schema.oneOf) ? schema.oneOf : [];
  return branches.map((branch) => branch?.properties?.[tag]?.const);
}

/** `content or tool_calls is required`, or `must be -1 or from 2 to 30`. */
function choiceMessage(anyOf: unknown): string {
  const branches: Record<string, unknown>[] = Array.isArray(anyOf) ? anyOf : [];
  const required = branches.flatMap((branch) => (Array.isArray(branch.required) ? branch.required : []));
  if (required.length > 0) return `needs ${required.join(" or ")}`;
  return `must be ${branches.map(branchWords).join(" or ")}`;
}

function branchWords(branch: Record<string, unknown>): string {
  if ("const" in branch) return JSON.stringify(branch.const);
  if (Array.isArray(branch.enum)) return oneOf(branch.enum);
  if (typeof branch.minimum === "number") return `from ${branch.minimum} to ${branch.maximum}`;
  return typeof branch.type === "string" ? typeName(branch.type) : String(branch.title ?? "another shape");
}
