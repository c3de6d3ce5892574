import type { JsonSchema } from "#contract/catalog.ts";
import { countCharacters } from "#contract/characters.ts";
import { branchesOf, isObject, numberOf } from "./json.ts";
import { counted, titleOf } from "./labels.ts";
import type { FormPlan, PlannedField } from "./plan.ts";
import { segmentsOf } from "./pointer.ts";

/** The message for a failed keyword of `schema`. `value` is what the field holds. */
export function remedyOf(keyword: string, schema: JsonSchema, value: unknown): string {
  switch (keyword) {
    case "required":
      return "This field is required.";
    case "type":
      return typeMessage(schema, value);
    case "enum":
      return `Choose one of ${(Array.isArray(schema.enum) ? schema.enum : []).map(String).join(", ")}.`;
    case "const":
      return `This must be ${JSON.stringify(schema.const)}.`;
    case "minLength":
      return schema.minLength === 1
        ? "This field is required."
        : `Use at least ${counted(Number(schema.minLength), "character")}.`;
    case "maxLength":
      return `Shorten this to ${counted(Number(schema.maxLength), "character")}: it has ${countCharacters(String(value)).toLocaleString("en")}.`;
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
    case "pattern":
      return "Check the format of this value.";
    default:
      return "This value is not accepted by the operation.";
  }
}

function typeMessage(schema: JsonSchema, value: unknown): string {
  const types = (Array.isArray(schema.type) ? schema.type : [schema.type]).map(String);
  if (value === null && !types.includes("null")) return "This field is required.";
  const words: Record<string, string> = {
    integer: "a whole number",
    number: "a number",
    string: "a string",
    boolean: "true or false",
    array: "a list",
    object: "an object with keys",
    null: "null",
  };
  return `Enter ${types.map((type) => words[type] ?? type).join(" or ")}.`;
}

function rangeMessage(schema: JsonSchema): string {
  const [min, max] = [numberOf(schema.minimum), numberOf(schema.maximum)];
  const whole = schema.type === "integer" ? "a whole number" : "a number";
  if (min !== null && max !== null) return `Choose ${whole} from ${min} to ${max}.`;
  return min !== null ? `Choose ${whole} of at least ${min}.` : `Choose ${whole} of at most ${max}.`;
}

function itemsMessage(schema: JsonSchema, count: number): string {
  const [min, max] = [numberOf(schema.minItems) ?? 0, numberOf(schema.maxItems)];
  const have = count === 0 ? "there are none yet" : `there ${count === 1 ? "is" : "are"} ${count}`;
  if (min === max) return `Use exactly ${min}: ${have}.`;
  return count < min ? `Add at least ${min}: ${have}.` : `Use at most ${max}: ${have}.`;
}

function unionMessage(schema: JsonSchema): string {
  const branches = branchesOf(schema);
  const single = branches.find((branch) => "const" in branch || Array.isArray(branch.enum));
  const range = branches.find((branch) => numberOf(branch.minimum) !== null);
  if (single && range)
    return `Choose a whole number from ${range.minimum} to ${range.maximum}, or let the model decide (${single.const ?? (single.enum as unknown[])[0]}).`;
  const needs = branches.map((branch) => (Array.isArray(branch.required) ? branch.required.map(String) : []));
  if (needs.length > 0 && needs.every((names) => names.length === 1))
    return `Enter ${needs.map(([name = ""]) => titleOf(name, {}).toLowerCase()).join(" or ")}.`;
  return "This value does not match any allowed format.";
}

/** "Reference 2, URL" for `/media/1/url`. */
export function fieldTitle(pointer: string, plan: FormPlan): string {
  const [name, ...rest] = segmentsOf(pointer);
  if (name === undefined) return "Request";
  const field = plan.fields.find((each) => each.name === name);
  if (!field) return titleOf(name, {});
  const [index, part, ...deeper] = rest;
  if (index === undefined) return field.title;
  const item = /^\d+$/.test(index) ? `${itemWord(field)} ${Number(index) + 1}` : `${field.title}, ${index}`;
  if (part === undefined) return item;
  const partField = field.kind === "items" ? field.fields.find((each) => each.name === part) : undefined;
  const words = [
    partField?.title ?? titleOf(part, {}),
    ...deeper.map((each) => (/^\d+$/.test(each) ? String(Number(each) + 1) : each)),
  ];
  return `${item}, ${words.join(" ").toLowerCase()}`;
}

function itemWord(field: PlannedField): string {
  if (field.kind === "items") return field.itemTitle;
  if (field.kind === "messages") return "Message";
  if (field.kind === "media-list" && field.media !== "any")
    return field.media.charAt(0).toUpperCase() + field.media.slice(1);
  return field.title;
}

/** The schema whose keyword failed, by the location that a validator reports, e.g. `#/properties/duration/maximum`. */
export function schemaAtLocation(root: JsonSchema, location: string): JsonSchema {
  let schema: unknown = root;
  for (const segment of segmentsOf(location).slice(0, -1))
    schema = isObject(schema) || Array.isArray(schema) ? (schema as JsonSchema)[segment] : undefined;
  return isObject(schema) ? schema : {};
}
