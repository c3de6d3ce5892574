import type { CatalogModel, CatalogOperation, JsonSchema } from "#contract/catalog.ts";
import { isRecord, isSame } from "#contract/input-schema/json-values.ts";
import { type Alternative, alternativesOf, onlyValue } from "./alternatives.ts";
import { branchesOf, isObject, isShapeless, numberOf, schemaAt, stringsOf, typeOf } from "./json.ts";
import { type FormWords, itemTitleOf, titleOf } from "./labels.ts";
import type { FieldControl, Media, PlannedField } from "./plan.ts";

export interface ControlContext {
  t: FormWords;
  model: CatalogModel;
  operation: CatalogOperation;
  /** Nesting depth. 0 is a key of the body itself. */
  depth: number;
  planPart: PlanPart;
}

/** Chooses the control for the key `name` with this schema. */
export function controlOf(
  name: string,
  schema: JsonSchema,
  required: boolean,
  context: ControlContext,
): FieldControl {
  const own = context.depth === 0 ? gatewayControl(name, schema, context) : null;
  if (own) return own;
  const smart = smartDuration(schema);
  if (smart) return smart;
  const media = mediaOf(schema);
  if (media && typeOf(schema) !== "array")
    return { kind: "media", media, maxBytes: numberOf(context.operation.limits.maxInputBytes) };
  return (
    listControl(name, schema, context) ??
    shapeControl(name, schema, required, context) ??
    plainControl(name, schema, context)
  );
}

/**
 * The control of a key that the gateway interprets itself instead of passing it to the model. Null for other
 * keys.
 */
function gatewayControl(name: string, schema: JsonSchema, { t, model }: ControlContext): FieldControl | null {
  if (name === "region") return regionControl(schema, model);
  if (name !== "person_rights_confirmed") return null;
  const statement = typeof schema.description === "string" ? schema.description : t("rightsStatement");
  return { kind: "confirm", statement };
}

function plainControl(name: string, schema: JsonSchema, context: ControlContext): FieldControl {
  const type = typeOf(schema);
  if (type === "boolean") return { kind: "yes-no" };
  if (type === "integer" || type === "number") return numberControl(name, schema, type === "integer");
  if (type === "string") return textControl(name, schema, context.operation);
  if (type === "array") return { kind: "json", shape: "array" };
  return { kind: "json", shape: type === "object" || schema.properties ? "object" : "any" };
}

function regionControl(schema: JsonSchema, model: CatalogModel): FieldControl {
  const named = stringsOf(schema.enum);
  const names = named.length > 0 ? named : model.available_regions;
  const healthy: readonly string[] = model.healthy_regions;
  return { kind: "region", regions: names.map((name) => ({ name, healthy: healthy.includes(name) })) };
}

/** `-1, or from a to b`: -1 lets the service choose. */
function smartDuration(schema: JsonSchema): FieldControl | null {
  const branches = branchesOf(schema);
  const single = branches.find((branch) => onlyValue(branch) === -1);
  const span = branches.find((branch) => numberOf(branch.minimum) !== null);
  if (branches.length === 2 && single && span) {
    const [min, max] = [numberOf(span.minimum), numberOf(span.maximum)];
    if (min !== null && max !== null) return { kind: "smart-duration", min, max, smart: -1 };
  }
  const values = Array.isArray(schema.enum) ? schema.enum.filter((value) => numberOf(value) !== null) : [];
  if (values.length > 3 && values.includes(-1)) {
    const positive = values.filter((value): value is number => typeof value === "number" && value > 0);
    return { kind: "smart-duration", min: Math.min(...positive), max: Math.max(...positive), smart: -1 };
  }
  return null;
}

function mediaOf(schema: JsonSchema): Media | null {
  const value = schema["x-svc-media"];
  return value === "image" || value === "audio" || value === "video" || value === "any" ? value : null;
}

/** Number ranges with more values get a text field instead of a slider. */
const sliderSpan = 4096;

function numberControl(name: string, schema: JsonSchema, integer: boolean): FieldControl {
  const lower = lowerBound(schema, integer);
  const upper = upperBound(schema, integer);
  const step = numberOf(schema.multipleOf);
  const [min, max] = [lower.at, upper.at];
  if (name === "seed" && integer) return { kind: "seed", min: min ?? 0, max: max ?? 2_147_483_647 };
  const open = { ...(lower.open && { above: true as const }), ...(upper.open && { below: true as const }) };
  // A slider counts its steps from its lower bound, so this bound must be a multiple of the step.
  const slides = !lower.open && !upper.open && (step === null || Number.isInteger((min ?? 0) / step));
  if (min !== null && max !== null && max > min && max - min <= sliderSpan && slides)
    return { kind: "range", min, max, integer, step };
  return { kind: "number", min, max, integer, step, ...open };
}

interface Bound {
  at: number | null;
  /** The exclusive bound is not a valid value. */
  open: boolean;
}

function lowerBound(schema: JsonSchema, integer: boolean): Bound {
  const [closed, open] = [numberOf(schema.minimum), numberOf(schema.exclusiveMinimum)];
  if (open === null || (closed !== null && closed > open)) return { at: closed, open: false };
  return integer ? { at: Math.floor(open) + 1, open: false } : { at: open, open: true };
}

function upperBound(schema: JsonSchema, integer: boolean): Bound {
  const [closed, open] = [numberOf(schema.maximum), numberOf(schema.exclusiveMaximum)];
  if (open === null || (closed !== null && closed < open)) return { at: closed, open: false };
  return integer ? { at: Math.ceil(open) - 1, open: false } : { at: open, open: true };
}

const longTexts = new Set(["prompt", "negative_prompt", "preview_text", "voice_prompt", "text"]);
const longTextFrom = 400;

function textControl(name: string, schema: JsonSchema, operation: CatalogOperation): FieldControl {
  const spoken = name === "input" && operation.api_type === "text-to-speech";
  const limit = spoken
    ? numberOf(operation.limits.maxInputCharacters)
    : name === "prompt"
      ? numberOf(operation.limits.maxPromptCharacters)
      : null;
  const maxLength = smallest(numberOf(schema.maxLength), limit);
  const minLength = numberOf(schema.minLength) ?? 0;
  if (spoken || longTexts.has(name) || (maxLength ?? 0) >= longTextFrom)
    return { kind: "prompt", minLength, maxLength };
  const { format } = schema;
  if (format === "date" || format === "date-time") return { kind: "moment", format };
  const entry = format === "uri" || format === "url" ? "url" : format === "email" ? "email" : "text";
  return { kind: "text", minLength, maxLength, suggestions: suggestionsOf(name, schema, operation), entry };
}

function suggestionsOf(name: string, schema: JsonSchema, operation: CatalogOperation): string[] {
  const own = stringsOf(schema["x-svc-suggestions"]);
  const example = operation.example[name];
  return own.length > 0 ? own : typeof example === "string" && example.length <= 40 ? [example] : [];
}

function smallest(first: number | null, second: number | null): number | null {
  if (first === null) return second;
  return second === null ? first : Math.min(first, second);
}

/** Lists that have their own control: a conversation, files, short texts. */
function listControl(name: string, schema: JsonSchema, context: ControlContext): FieldControl | null {
  if (typeOf(schema) !== "array" || Array.isArray(schema.prefixItems)) return null;
  const items = schemaAt(schema, "items");
  const min = numberOf(schema.minItems) ?? 0;
  const max = numberOf(schema.maxItems);
  if (name === "messages" && context.depth === 0 && isConversation(items, context.operation))
    return { kind: "messages", ...messageFeatures(JSON.stringify(items)) };
  const media = mediaOf(items) ?? mediaOf(schema);
  if (media && !isObject(items.properties)) {
    const { limits } = context.operation;
    const most = media === "image" ? smallest(max, numberOf(limits.maxInputImages)) : max;
    return {
      kind: "media-list",
      media,
      maxBytes: numberOf(limits.maxInputBytes),
      min,
      max: most,
      positions: positionsOf(min, most, schema, context),
    };
  }
  const isText = typeOf(items) === "string" && !Array.isArray(items.enum) && !("const" in items);
  return isText && branchesOf(items).length === 0 ? { kind: "strings", min, max } : null;
}

/** The kinds of message parts besides text. */
function messageFeatures(items: string): { toolCalls: boolean; pictures: boolean } {
  return { toolCalls: items.includes('"tool_calls"'), pictures: items.includes('"image_url"') };
}

function isConversation(items: JsonSchema, operation: CatalogOperation): boolean {
  if (operation.api_type === "chat-completions") return true;
  const text = JSON.stringify(items);
  return text.includes('"role"') && text.includes('"content"');
}

/**
 * Exactly two images with a person-rights flag are a face or body swap: the first is the target, the second
 * the source.
 */
function positionsOf(
  min: number,
  max: number | null,
  schema: JsonSchema,
  { t, model }: ControlContext,
): string[] | null {
  const swaps = model.safety_requirements.per_request_person_rights_confirmation_required;
  if (!swaps || min !== 2 || max !== 2) return null;
  const part = /\bhead\b/.test(`${schema.description} ${model.id}`) ? "head" : "face";
  return [t("target"), t("source", { part })];
}

/** Plans the control of a nested value. Null if the form is already deep enough. */
type PlanPart = (name: string, schema: JsonSchema, required: boolean) => PlannedField | null;

/**
 * The control of a choice, union, list or object. Null for a plain value and for values that are edited as
 * JSON.
 */
function shapeControl(
  name: string,
  schema: JsonSchema,
  required: boolean,
  context: ControlContext,
): FieldControl | null {
  const { t, planPart } = context;
  if (Array.isArray(schema.enum)) return choiceOf(schema.enum);
  if ("const" in schema) return choiceOf([schema.const]);
  if (schema.type === "null") return choiceOf([null]);
  const alternatives = alternativesOf(schema, required, t);
  if (alternatives.length > 1) return unionControl(name, alternatives, planPart);
  const type = typeOf(schema);
  if (type === "array") return itemsControl(name, schema, context);
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

function itemsControl(
  name: string,
  schema: JsonSchema,
  { t, planPart }: ControlContext,
): FieldControl | null {
  const itemTitle = itemTitleOf(t, name);
  const positions = Array.isArray(schema.prefixItems) ? schema.prefixItems.filter(isObject) : [];
  const items = schemaAt(schema, "items");
  if (positions.length === 0 && isShapeless(items)) return null;
  const first = positions.map((part, at) => planPart(titleOf(t, `${itemTitle} ${at + 1}`, part), part, true));
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
      // An optional key with one possible value is left out of the form.
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
