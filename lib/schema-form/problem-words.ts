import type { JsonSchema } from "#contract/catalog.ts";
import { branchesOf, isObject, numberOf } from "./json.ts";
import type { FormPlan, PlannedField } from "./plan.ts";
import { segmentsOf } from "./pointer.ts";
import { counted, titleOf } from "./words.ts";

/** The mend for a failed keyword of `schema`. `value` is what the field holds. */
export function mendOf(keyword: string, schema: JsonSchema, value: unknown): string {
  switch (keyword) {
    case "required":
      return "Fill this in: it is required.";
    case "type":
      return typeMend(schema, value);
    case "enum":
      return `Choose one of ${(Array.isArray(schema.enum) ? schema.enum : []).map(String).join(", ")}.`;
    case "const":
      return `This must be ${JSON.stringify(schema.const)}.`;
    case "minLength":
      return schema.minLength === 1
        ? "Fill this in: it is empty."
        : `Use at least ${counted(Number(schema.minLength), "character")}.`;
    case "maxLength":
      return `Shorten this to ${counted(Number(schema.maxLength), "character")}: it has ${String(value).length.toLocaleString("en")}.`;
    case "minimum":
    case "maximum":
    case "exclusiveMinimum":
    case "exclusiveMaximum":
      return rangeMend(schema);
    case "minItems":
    case "maxItems":
      return itemsMend(schema, Array.isArray(value) ? value.length : 0);
    case "anyOf":
    case "oneOf":
      return unionMend(schema);
    case "additionalProperties":
    case "unevaluatedProperties":
    case "false":
      return "Remove this key: it is not known here.";
    case "format":
    case "pattern":
      return "Check the form of this value.";
    default:
      return "Check this value: the operation does not take it.";
  }
}

function typeMend(schema: JsonSchema, value: unknown): string {
  const types = (Array.isArray(schema.type) ? schema.type : [schema.type]).map(String);
  if (value === null && !types.includes("null")) return "Fill this in: it is empty.";
  const words: Record<string, string> = {
    integer: "a whole number",
    number: "a number",
    string: "a text",
    boolean: "yes or no (true or false)",
    array: "a list",
    object: "an object with keys",
    null: "null",
  };
  return `Give ${types.map((type) => words[type] ?? type).join(" or ")}.`;
}

function rangeMend(schema: JsonSchema): string {
  const [min, max] = [numberOf(schema.minimum), numberOf(schema.maximum)];
  const whole = schema.type === "integer" ? "a whole number" : "a number";
  if (min !== null && max !== null) return `Choose ${whole} from ${min} to ${max}.`;
  return min !== null ? `Choose ${whole} of at least ${min}.` : `Choose ${whole} of at most ${max}.`;
}

function itemsMend(schema: JsonSchema, count: number): string {
  const [min, max] = [numberOf(schema.minItems) ?? 0, numberOf(schema.maxItems)];
  const have = count === 0 ? "there are none yet" : `there ${count === 1 ? "is" : "are"} ${count}`;
  if (min === max) return `Give exactly ${min}: ${have}.`;
  return count < min ? `Add at least ${min}: ${have}.` : `Keep at most ${max}: ${have}.`;
}

function unionMend(schema: JsonSchema): string {
  const branches = branchesOf(schema);
  const single = branches.find((branch) => "const" in branch || Array.isArray(branch.enum));
  const range = branches.find((branch) => numberOf(branch.minimum) !== null);
  if (single && range)
    return `Choose a whole number from ${range.minimum} to ${range.maximum}, or let the model decide (${single.const ?? (single.enum as unknown[])[0]}).`;
  const needs = branches.map((branch) => (Array.isArray(branch.required) ? branch.required.map(String) : []));
  if (needs.length > 0 && needs.every((names) => names.length === 1))
    return `Give ${needs.map(([name = ""]) => titleOf(name, {}).toLowerCase()).join(" or ")}.`;
  return "Check this value: it fits none of the allowed forms.";
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
