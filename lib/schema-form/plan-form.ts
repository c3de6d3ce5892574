import { byName } from "#contract/by-name.ts";
import type { CatalogModel, CatalogOperation, JsonSchema } from "#contract/catalog.ts";
import { oneShape, onlyValue } from "./alternatives.ts";
import { type ControlContext, controlOf } from "./field-control.ts";
import { isObject, isShapeless, numberOf, stringsOf, typeOf } from "./json.ts";
import { type FormWords, hintOf, titleOf } from "./labels.ts";
import type { FieldKind, FormPlan, PlannedField } from "./plan.ts";

/**
 * Plans the form of an operation. Every key of the body is planned, fixed or hidden, so that even for an
 * unknown schema the user can fill in every key.
 */
export function planForm(model: CatalogModel, operation: CatalogOperation, t: FormWords): FormPlan {
  const required = new Set(stringsOf(operation.input_schema.required));
  const fixed: Record<string, unknown> = { model: model.id };
  const hidden: string[] = [];
  const fields: PlannedField[] = [];
  const context = contextAt(model, operation, t, 0);
  for (const { name, published, drawn } of propertiesOf(operation, t)) {
    if (name === "model") continue;
    // A single region is still a choice, because the user can leave it out.
    const value = name === "region" ? undefined : onlyValue(published);
    if (value === undefined)
      fields.push(plannedField(name, drawn, published, required.has(name), context, published !== drawn));
    else if (required.has(name)) fixed[name] = value;
    else hidden.push(name);
  }
  return { t, modelId: model.id, fields: sorted(fields), fixed, hidden };
}

/** A form with more nesting is harder to read than JSON. */
const maxDepth = 6;

function contextAt(
  model: CatalogModel,
  operation: CatalogOperation,
  t: FormWords,
  depth: number,
): ControlContext {
  return {
    t,
    model,
    operation,
    depth,
    planPart(name, schema, required) {
      if (depth === maxDepth) return null;
      const inside = contextAt(model, operation, t, depth + 1);
      return { ...plannedField(name, schema, schema, required, inside, false), advanced: false };
    },
  };
}

function plannedField(
  name: string,
  drawn: JsonSchema,
  published: JsonSchema,
  required: boolean,
  context: ControlContext,
  inferred: boolean,
): PlannedField {
  const shape = oneShape(drawn, required);
  const control = controlOf(name, shape, required, context);
  return {
    ...control,
    name,
    title: titleOf(context.t, name, shape),
    hint: hintOf(context.t, name, shape),
    required,
    schema: published,
    inferred,
    ...("default" in shape && { default: shape.default }),
    advanced: !required && isAdvanced(control.kind, name),
  };
}

function isAdvanced(kind: FieldKind, name: string): boolean {
  return kind === "json" || kind === "strings" || name.endsWith("loras");
}

/**
 * In the upstream's order (Replicate's `x-order`), otherwise by kind. The confirmation is last, beside the
 * Run button.
 */
function sorted(fields: PlannedField[]): PlannedField[] {
  const place = ({ kind, schema }: PlannedField) =>
    kind === "confirm" ? Number.MAX_VALUE : (numberOf(schema["x-order"]) ?? Number.MAX_SAFE_INTEGER);
  const numbered = fields.some(({ schema }) => "x-order" in schema);
  return fields.sort(numbered ? (first, second) => place(first) - place(second) : inOrder);
}

function inOrder(first: PlannedField, second: PlannedField): number {
  return rank(first) - rank(second);
}

/** Order of the fields. The confirmation is last, beside the Run button. */
const weights: Record<FieldKind, number> = {
  messages: 0,
  prompt: 1,
  media: 2,
  "media-list": 2,
  items: 3,
  group: 3,
  union: 4,
  moment: 4,
  text: 4,
  choice: 4,
  "smart-duration": 4,
  range: 5,
  number: 5,
  "yes-no": 6,
  seed: 7,
  strings: 7,
  map: 7,
  region: 8,
  json: 9,
  confirm: 10,
};

/** Choices that determine which other fields are relevant. */
const leading = new Set(["action", "mode"]);

function rank(field: PlannedField): number {
  if (leading.has(field.name)) return -1;
  const optional = field.required ? 0 : 0.5;
  return weights[field.kind] + optional + (field.name === "negative_prompt" ? 1 : 0);
}

const mediaNames = byName<"image" | "audio" | "video" | "any">({
  image: "image",
  images: "image",
  last_image: "image",
  first_frame: "image",
  last_frame: "image",
  reference_images: "image",
  mask: "image",
  video: "video",
  reference_videos: "video",
  audio: "audio",
  audio_url: "audio",
  reference_audios: "audio",
});

interface PropertySchema {
  name: string;
  /** The published schema. */
  published: JsonSchema;
  /** The schema for the form. It equals `published` unless that is incomplete. */
  drawn: JsonSchema;
}

/**
 * The properties of an operation's body. An incomplete schema leaves out keys, or their shape. Those are
 * derived from `required`, the example and the limits, so that the form is still usable.
 */
function propertiesOf(operation: CatalogOperation, t: FormWords): PropertySchema[] {
  const { input_schema: schema, example } = operation;
  const listed = isObject(schema.properties) ? schema.properties : {};
  const names = new Set([
    ...Object.keys(listed),
    ...stringsOf(schema.required),
    ...Object.keys(example),
    ...(operation.execution_mode === "sync-or-stream" ? ["stream"] : []),
  ]);
  return [...names].map((name) => {
    const value = listed[name];
    const published = isObject(value) ? value : {};
    return { name, published, drawn: completed(name, published, operation, t) };
  });
}

function completed(
  name: string,
  published: JsonSchema,
  operation: CatalogOperation,
  t: FormWords,
): JsonSchema {
  if (isShapeless(published)) return { ...published, ...inferred(name, operation, t) };
  if (typeOf(published) === "array" && published.items === undefined)
    return { ...published, items: itemSchema(name, operation, t) };
  return published;
}

function inferred(name: string, operation: CatalogOperation, t: FormWords): JsonSchema {
  const { limits, example } = operation;
  const value = example[name];
  if (name === "prompt") return { type: "string", ...bound("maxLength", limits.maxPromptCharacters) };
  if (name === "input" && operation.api_type === "text-to-speech")
    return { type: "string", ...bound("maxLength", limits.maxInputCharacters) };
  if (name === "max_tokens")
    return { type: "integer", minimum: 1, ...bound("maximum", limits.maxOutputTokens) };
  if (name === "temperature") return { type: "number", minimum: 0, maximum: 2 };
  if (name === "stream") return { type: "boolean" };
  const media = mediaNames[name];
  if (media && typeof value === "string") return { type: "string", "x-svc-media": media };
  if (media && (Array.isArray(value) || operation.api_type === "image-editing"))
    return {
      type: "array",
      items: { type: "string", "x-svc-media": media },
      ...bound("maxItems", limits.maxInputImages),
    };
  return shapeOf(name, value, operation, t);
}

/** The item schema of the catalog's reference-video entry. Other video entries publish none. */
const mediaItem = (t: FormWords): JsonSchema => ({
  type: "object",
  properties: {
    type: {
      type: "string",
      title: t("useAs"),
      "x-svc-suggestions": ["reference_image", "reference_video", "first_frame"],
    },
    url: { type: "string", title: t("file"), minLength: 1, "x-svc-media": "any" },
  },
  required: ["type", "url"],
});

function itemSchema(name: string, operation: CatalogOperation, t: FormWords): JsonSchema {
  const value = operation.example[name];
  const media = mediaNames[name];
  if (media) return { type: "string", "x-svc-media": media };
  if (name === "media") return mediaItem(t);
  return Array.isArray(value) && value.length > 0
    ? shapeOf(name, value[0], operation, t)
    : { type: "string" };
}

/** A schema derived from an example `value`. */
function shapeOf(name: string, value: unknown, operation: CatalogOperation, t: FormWords): JsonSchema {
  if (typeof value === "string") return { type: "string" };
  if (typeof value === "boolean") return { type: "boolean" };
  if (typeof value === "number") return { type: Number.isInteger(value) ? "integer" : "number" };
  if (Array.isArray(value)) return { type: "array", items: itemSchema(name, operation, t) };
  if (isObject(value)) return { type: "object" };
  return {};
}

function bound(keyword: string, limit: unknown): JsonSchema {
  const value = numberOf(limit);
  return value === null ? {} : { [keyword]: value };
}
