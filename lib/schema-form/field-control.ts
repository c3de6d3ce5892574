import type { CatalogModel, CatalogOperation, JsonSchema } from "#contract/catalog.ts";
import { branchesOf, isObject, numberOf, schemaAt, stringsOf, typeOf } from "./json.ts";
import { itemTitleOf } from "./labels.ts";
import type { FieldControl, Media, PlannedField } from "./plan.ts";

export interface ControlContext {
  model: CatalogModel;
  operation: CatalogOperation;
  /** Plans the fields of one item of an array of objects. */
  planItem: (items: JsonSchema) => PlannedField[];
}

const longTexts = new Set(["prompt", "negative_prompt", "preview_text", "voice_prompt", "text"]);
const longTextFrom = 400;
/** Wider ranges than this are typed, not dragged. */
const sliderSpan = 4096;

/** The control that asks for a value of `schema` under the key `name`. */
export function controlOf(name: string, schema: JsonSchema, context: ControlContext): FieldControl {
  if (name === "region") return regionControl(schema, context.model);
  if (name === "person_rights_confirmed")
    return {
      kind: "confirm",
      statement:
        typeof schema.description === "string"
          ? schema.description
          : "Every identifiable person in the images is me, or has explicitly authorized this operation.",
    };
  const smart = smartDuration(schema);
  if (smart) return smart;
  if (Array.isArray(schema.enum))
    return {
      kind: "choice",
      values: schema.enum.filter(
        (value): value is string | number => typeof value === "string" || typeof value === "number",
      ),
    };
  const media = mediaOf(schema);
  const type = typeOf(schema);
  if (media && type !== "array")
    return { kind: "media", media, maxBytes: numberOf(context.operation.limits.maxInputBytes) };
  if (type === "boolean") return { kind: "yes-no" };
  if (type === "integer" || type === "number") return numberControl(name, schema, type === "integer");
  if (type === "string") return textControl(name, schema, context.operation);
  if (type === "array") return arrayControl(name, schema, context);
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

/** The one value that a schema allows; undefined when it allows more. */
export function onlyValue(schema: JsonSchema): unknown {
  if ("const" in schema) return schema.const;
  if (Array.isArray(schema.enum) && schema.enum.length === 1) return schema.enum[0];
  const min = numberOf(schema.minimum);
  if (typeOf(schema) === "integer" && min !== null && min === numberOf(schema.maximum)) return min;
  return undefined;
}

function mediaOf(schema: JsonSchema): Media | null {
  const value = schema["x-svc-media"];
  return value === "image" || value === "audio" || value === "video" || value === "any" ? value : null;
}

function numberControl(name: string, schema: JsonSchema, integer: boolean): FieldControl {
  const min = numberOf(schema.minimum);
  const max = numberOf(schema.maximum);
  if (name === "seed") return { kind: "seed", min: min ?? 0, max: max ?? 2_147_483_647 };
  if (min !== null && max !== null && max - min <= sliderSpan) return { kind: "range", min, max, integer };
  return { kind: "number", min, max, integer };
}

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
  return { kind: "text", minLength, maxLength, suggestions: suggestionsOf(name, schema, operation) };
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

function arrayControl(name: string, schema: JsonSchema, context: ControlContext): FieldControl {
  const items = schemaAt(schema, "items");
  const min = numberOf(schema.minItems) ?? 0;
  const max = numberOf(schema.maxItems);
  if (name === "messages")
    return { kind: "messages", toolCalls: JSON.stringify(items).includes("tool_calls") };
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
  if (isObject(items.properties))
    return {
      kind: "items",
      itemTitle: itemTitleOf(name),
      fields: context.planItem(items),
      min,
      max,
    };
  if (typeOf(items) === "string" && !Array.isArray(items.enum)) return { kind: "strings", min, max };
  return { kind: "json", shape: "array" };
}

/** Exactly two images under a person-rights flag are a swap: the target first, then the source. */
function positionsOf(
  min: number,
  max: number | null,
  schema: JsonSchema,
  { model }: ControlContext,
): string[] | null {
  const swaps = model.safety_requirements.per_request_person_rights_confirmation_required;
  if (!swaps || min !== 2 || max !== 2) return null;
  const part = /\bhead\b/.test(`${schema.description} ${model.id}`) ? "head" : "face";
  return ["Target: the image to change", `Source: the ${part} to insert`];
}
