import type { JsonSchema } from "#contract/catalog.ts";
import { isRecord, isSame } from "#contract/input-schema/json-values.ts";
import { type Alternative, alternativesOf } from "./alternatives.ts";
import { isObject, isShapeless, numberOf, schemaAt, stringsOf, typeOf } from "./json.ts";
import { itemTitleOf, titleOf } from "./labels.ts";
import { onlyValue } from "./only-value.ts";
import type { FieldControl, PlannedField } from "./plan.ts";

/** Plans a value inside another one; null where the form is deep enough. */
export type PlanPart = (name: string, schema: JsonSchema, required: boolean) => PlannedField | null;

/** The control of a choice, a union, a list, an object; null for a plain value and for what is edited as JSON. */
export function shapeControl(
  name: string,
  schema: JsonSchema,
  required: boolean,
  planPart: PlanPart,
): FieldControl | null {
  if (Array.isArray(schema.enum)) return choiceOf(schema.enum);
  if ("const" in schema) return choiceOf([schema.const]);
  if (schema.type === "null") return choiceOf([null]);
  const alternatives = alternativesOf(schema, required);
  if (alternatives.length > 1) return unionControl(name, alternatives, planPart);
  const type = typeOf(schema);
  if (type === "array") return itemsControl(name, schema, planPart);
  return type === "object" || isObject(schema.properties) ? objectControl(schema, planPart) : null;
}

function choiceOf(values: readonly unknown[]): FieldControl {
  const different = values.filter((value, at) => !values.slice(0, at).some((other) => isSame(value, other)));
  return { kind: "choice", values: different };
}

function unionControl(name: string, alternatives: Alternative[], planPart: PlanPart): FieldControl | null {
  const values = alternatives.map(({ schema }) => listedValues(schema));
  if (values.every((list) => list !== null)) return choiceOf(values.flat());
  const isText = alternatives.every(({ schema }) => typeOf(schema) === "string" || listedValues(schema));
  const free = alternatives.find((_, at) => values[at] === null);
  if (isText && free && Object.keys(free.schema).every((key) => textWords.has(key)))
    return {
      kind: "text",
      minLength: 0,
      maxLength: numberOf(free.schema.maxLength),
      suggestions: values.flatMap(stringsOf),
      entry: "text",
    };
  const fields = alternatives.map(({ schema }) => planPart(name, schema, true));
  if (fields.some((field) => field === null)) return null;
  return {
    kind: "union",
    branches: fields.flatMap((field, at) => {
      const title = alternatives[at]?.title ?? "";
      return field ? [{ title, field: { ...field, title } }] : [];
    }),
  };
}

const textWords = new Set(["type", "title", "description", "maxLength", "default", "examples"]);

function listedValues(schema: JsonSchema): unknown[] | null {
  if (Array.isArray(schema.enum)) return schema.enum;
  if ("const" in schema) return [schema.const];
  return schema.type === "null" ? [null] : null;
}

function itemsControl(name: string, schema: JsonSchema, planPart: PlanPart): FieldControl | null {
  const itemTitle = itemTitleOf(name);
  const positions = Array.isArray(schema.prefixItems) ? schema.prefixItems.filter(isObject) : [];
  const items = schemaAt(schema, "items");
  if (positions.length === 0 && isShapeless(items)) return null;
  const first = positions.map((part, at) => planPart(titleOf(`${itemTitle} ${at + 1}`, part), part, true));
  const open = schema.items !== false && !isShapeless(items);
  const item = open ? planPart(itemTitle, items, true) : null;
  if ((open && !item) || first.some((part) => part === null)) return null;
  const most = numberOf(schema.maxItems);
  return {
    kind: "items",
    itemTitle,
    first: first.filter((part) => part !== null),
    item,
    min: numberOf(schema.minItems) ?? 0,
    max: open ? most : positions.length,
  };
}

function objectControl(schema: JsonSchema, planPart: PlanPart): FieldControl | null {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = new Set(stringsOf(schema.required));
  const fixed: Record<string, unknown> = {};
  const fields: PlannedField[] = [];
  for (const [name, part] of Object.entries(properties)) {
    const partSchema = isObject(part) ? part : {};
    const only = onlyValue(partSchema);
    if (only !== undefined) {
      // One that may be left out says nothing.
      if (required.has(name)) fixed[name] = only;
      continue;
    }
    const field = planPart(name, partSchema, required.has(name));
    if (!field) return null;
    fields.push(field);
  }
  const further = furtherOf(schema, planPart);
  if (fields.length > 0 || Object.keys(fixed).length > 0) return { kind: "group", fields, fixed, further };
  return further ? { kind: "map", value: further, max: numberOf(schema.maxProperties) } : null;
}

function furtherOf(schema: JsonSchema, planPart: PlanPart): PlannedField | null {
  const { additionalProperties: given } = schema;
  return isRecord(given) && !isShapeless(given) ? planPart("value", given, true) : null;
}
