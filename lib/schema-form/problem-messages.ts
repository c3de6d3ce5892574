import { byName } from "#contract/by-name.ts";
import type { JsonSchema } from "#contract/catalog.ts";
import { countCharacters } from "#contract/characters.ts";
import { branchesOf, numberOf, schemaAt } from "./json.ts";
import { counted, titleOf } from "./labels.ts";
import type { FormPlan, PlannedField } from "./plan.ts";
import { segmentsOf } from "./pointers.ts";

/** The message for a violated keyword of `schema`. `value` is the field's value. */
export function remedyOf(keyword: string, schema: JsonSchema, value: unknown): string {
  switch (keyword) {
    case "required":
      return "This field is required.";
    case "type":
      return typeMessage(schema, value);
    case "enum":
      return choiceMessage(Array.isArray(schema.enum) ? schema.enum : []);
    case "const":
      return `This must be ${JSON.stringify(schema.const)}.`;
    case "minLength":
      return schema.minLength === 1
        ? "This field is required."
        : `Use at least ${counted(Number(schema.minLength), "character")}.`;
    case "maxLength":
      return tooLongMessage(Number(schema.maxLength), countCharacters(String(value)));
    case "minimum":
    case "maximum":
    case "exclusiveMinimum":
    case "exclusiveMaximum":
      return rangeMessage(schema);
    case "minItems":
    case "maxItems":
      return itemsMessage(schema, Array.isArray(value) ? value.length : 0);
    case "anyOf":
    case "oneOf":
      return unionMessage(schema);
    case "additionalProperties":
    case "unevaluatedProperties":
    case "false":
      return "Remove this unknown key.";
    case "format":
      return formatMessages[String(schema.format)] ?? "Check the format of this value.";
    case "pattern":
      return `This does not match the pattern ${schema.pattern}.`;
    case "multipleOf":
      return `Use a multiple of ${schema.multipleOf}.`;
    case "uniqueItems":
      return "Each item may occur only once.";
    case "minProperties":
      return `Add at least ${counted(Number(schema.minProperties), "key")}.`;
    case "maxProperties":
      return `Use at most ${counted(Number(schema.maxProperties), "key")}.`;
    case "propertyNames":
      return "Remove this key. It is not allowed with the other values.";
    case "dependentRequired":
      return "Fill in this field. The other values require it.";
    case "contains":
      return "Add the missing required item.";
    default:
      return "The operation does not accept this value. Change it.";
  }
}

const maxNamed = 20;

function choiceMessage(values: readonly unknown[]): string {
  const named = values.slice(0, maxNamed).map(String).join(", ");
  return values.length > maxNamed
    ? `Choose one of the ${values.length} values that are offered.`
    : `Choose one of ${named}.`;
}

const formatMessages = byName<string>({
  date: "Enter a date, for example 2026-03-31.",
  "date-time": "Enter a date and time with its zone, for example 2026-03-31T10:00:00Z.",
  time: "Enter a time with its zone, for example 10:00:00Z.",
  email: "Enter an e-mail address.",
  uuid: "Enter a UUID, for example 123e4567-e89b-12d3-a456-426614174000.",
});

function typeMessage(schema: JsonSchema, value: unknown): string {
  const types = (Array.isArray(schema.type) ? schema.type : [schema.type]).map(String);
  if (value === null && !types.includes("null")) return "This field is required.";
  const typeLabels = byName<string>({
    integer: "a whole number",
    number: "a number",
    string: "a string",
    boolean: "true or false",
    array: "a list",
    object: "an object with keys",
    null: "null",
  });
  return `Enter ${types.map((type) => typeLabels[type] ?? type).join(" or ")}.`;
}

function rangeMessage(schema: JsonSchema): string {
  const whole = schema.type === "integer" ? "a whole number" : "a number";
  const [min, max] = [numberOf(schema.minimum), numberOf(schema.maximum)];
  const [above, below] = [numberOf(schema.exclusiveMinimum), numberOf(schema.exclusiveMaximum)];
  if (min !== null && max !== null && above === null && below === null) return describeRange(whole, min, max);
  const bounds = [
    above !== null ? `above ${grouped(above)}` : min !== null ? `of at least ${grouped(min)}` : "",
    below !== null ? `below ${grouped(below)}` : max !== null ? `of at most ${grouped(max)}` : "",
  ];
  return `Choose ${whole} ${bounds.filter(Boolean).join(" and ")}.`;
}

function grouped(value: number): string {
  return value.toLocaleString("en", { maximumFractionDigits: 20 });
}

/** `Choose a number from 1 to 5.`, or `Must be 3.` if there is no choice. */
export function describeRange(what: string, min: number, max: number): string {
  return min === max ? `Must be ${max}.` : `Choose ${what} from ${grouped(min)} to ${grouped(max)}.`;
}

function itemsMessage(schema: JsonSchema, count: number): string {
  const [min, max] = [numberOf(schema.minItems) ?? 0, numberOf(schema.maxItems)];
  const have = count === 0 ? "There are none yet." : `There ${count === 1 ? "is" : "are"} ${count}.`;
  if (min === max) return `Use exactly ${min}. ${have}`;
  return count < min ? `Add at least ${min}. ${have}` : `Use at most ${max}. ${have}`;
}

/** For a text with more characters than `most`. */
export function tooLongMessage(most: number, length: number): string {
  return `Shorten this to ${counted(most, "character")}. It has ${length.toLocaleString("en")}.`;
}

function unionMessage(schema: JsonSchema): string {
  const branches = branchesOf(schema);
  const single = branches.find((branch) => "const" in branch || Array.isArray(branch.enum));
  const range = branches.find((branch) => numberOf(branch.minimum) !== null);
  if (single && range)
    return `Choose a whole number from ${range.minimum} to ${range.maximum}, or let the model decide (${single.const ?? (single.enum as unknown[])[0]}).`;
  const needs = branches.map((branch) => (Array.isArray(branch.required) ? branch.required.map(String) : []));
  if (needs.length > 0 && needs.every((names) => names.length === 1))
    return `Enter ${needs.map(([name = ""]) => titleOf(name, schemaAt(schemaAt(schema, "properties"), name)).toLowerCase()).join(" or ")}.`;
  return "This value does not match any allowed format. Compare it with the operation's schema.";
}

/** "Reference 2, URL" for `/media/1/url`. */
export function fieldTitle(pointer: string, plan: FormPlan): string {
  const [name, ...rest] = segmentsOf(pointer);
  if (name === undefined) return "Request";
  const field = plan.fields.find((each) => each.name === name);
  if (!field) return titleOf(name, {});
  const [head = field.title, ...more] = titlesOf(field, rest);
  return more.length === 0 ? head : `${head}, ${more.join(" ").toLowerCase()}`;
}

/** The title of a field and of the nested parts that lead to a value in it. */
function titlesOf(field: PlannedField, segments: readonly string[]): string[] {
  const [segment, ...rest] = segments;
  if (segment === undefined) return [field.kind === "confirm" ? field.statement : field.title];
  const index = /^\d+$/.test(segment) ? Number(segment) : null;
  if (index !== null && field.kind !== "map") {
    const part = field.kind === "items" ? (field.first[index] ?? field.item) : null;
    const inside = part ? titlesOf(part, rest).slice(1) : plainTitles(rest);
    const position = field.kind === "media-list" ? field.positions?.[index] : undefined;
    return [position ?? `${itemWord(field)} ${index + 1}`, ...inside];
  }
  const part = partsOf(field).find((each) => each.name === segment);
  return [field.title, ...(part ? titlesOf(part, rest) : plainTitles(segments))];
}

function partsOf(field: PlannedField): PlannedField[] {
  if (field.kind === "group") return field.fields;
  return field.kind === "union" ? field.branches.flatMap((branch) => partsOf(branch.field)) : [];
}

/** Labels for keys that are not in the plan. */
function plainTitles(segments: readonly string[]): string[] {
  const [first, ...deeper] = segments;
  if (first === undefined) return [];
  return [
    titleOf(first, {}),
    ...deeper.map((each) => (/^\d+$/.test(each) ? String(Number(each) + 1) : each)),
  ];
}

function itemWord(field: PlannedField): string {
  if (field.kind === "items") return field.itemTitle;
  if (field.kind === "messages") return "Message";
  if (field.kind === "media-list" && field.media !== "any")
    return field.media.charAt(0).toUpperCase() + field.media.slice(1);
  return field.title;
}

/** A problem with a request body, for the person who filled in the form. */
export interface Problem {
  /** JSON pointer into the body. Empty for the whole body. */
  path: string;
  /** The field's title, for example "Reference 2, URL". */
  field: string;
  /** How to fix the problem, without the field's name: "Choose one of 720P, 1080P." */
  message: string;
}
