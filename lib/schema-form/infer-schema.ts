import { byName } from "#contract/by-name.ts";
import type { CatalogOperation, JsonSchema } from "#contract/catalog.ts";
import { isObject, isShapeless, numberOf, stringsOf, typeOf } from "./json.ts";

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

/** What the catalog's reference-video entry names; other video entries publish no item shape. */
const mediaItem: JsonSchema = {
  type: "object",
  properties: {
    type: { type: "string", "x-svc-suggestions": ["reference_image", "reference_video", "first_frame"] },
    url: { type: "string", minLength: 1, "x-svc-media": "any" },
  },
  required: ["type", "url"],
};

export interface PropertySchema {
  name: string;
  /** As published. */
  published: JsonSchema;
  /** As drawn: equal to `published` unless that says too little. */
  drawn: JsonSchema;
}

/**
 * The properties of an operation's body. Thin schemas publish no shape for some keys, or leave keys out altogether;
 * those are drawn from `required`, the example and the limits, so that the form is usable for them too.
 */
export function propertiesOf(operation: CatalogOperation): PropertySchema[] {
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
    return { name, published, drawn: completed(name, published, operation) };
  });
}

function completed(name: string, published: JsonSchema, operation: CatalogOperation): JsonSchema {
  if (isShapeless(published)) return { ...published, ...inferred(name, operation) };
  if (typeOf(published) === "array" && published.items === undefined)
    return { ...published, items: itemSchema(name, operation) };
  return published;
}

function inferred(name: string, operation: CatalogOperation): JsonSchema {
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
  return shapeOf(name, value, operation);
}

function itemSchema(name: string, operation: CatalogOperation): JsonSchema {
  const value = operation.example[name];
  const media = mediaNames[name];
  if (media) return { type: "string", "x-svc-media": media };
  if (name === "media") return mediaItem;
  return Array.isArray(value) && value.length > 0 ? shapeOf(name, value[0], operation) : { type: "string" };
}

/** The schema of which `value` is an example. */
function shapeOf(name: string, value: unknown, operation: CatalogOperation): JsonSchema {
  if (typeof value === "string") return { type: "string" };
  if (typeof value === "boolean") return { type: "boolean" };
  if (typeof value === "number") return { type: Number.isInteger(value) ? "integer" : "number" };
  if (Array.isArray(value)) return { type: "array", items: itemSchema(name, operation) };
  if (isObject(value)) return { type: "object" };
  return {};
}

function bound(keyword: string, limit: unknown): JsonSchema {
  const value = numberOf(limit);
  return value === null ? {} : { [keyword]: value };
}
