import type { RJSFSchema, UiSchema } from "@rjsf/utils";
import { byName } from "#contract/by-name.ts";
import { isSame } from "#contract/input-schema/json-values.ts";
import { isObject, type JsonObject } from "./json.ts";
import { picturesOf, textOfMessage, withContent } from "./messages.ts";
import type { FormPlan, PlannedField } from "./plan.ts";

/**
 * The plan as rjsf reads it. Defaults, constants and unions stay out of the schema: rjsf would write them into the
 * draft unasked. What the draft holds decides too: a value that a control could not show is edited as JSON.
 */
export function rjsfForm(plan: FormPlan, value: JsonObject): { schema: RJSFSchema; uiSchema: UiSchema } {
  const fields = plan.fields
    .map((field) => (fits(field, shownValue(field, value[field.name])) ? field : asJson(field)))
    .map((field) => (isRelevant(field, value) ? field : { ...field, advanced: true }));
  return {
    schema: {
      type: "object",
      properties: Object.fromEntries(fields.map((field) => [field.name, schemaFor(field)])),
    },
    uiSchema: {
      "ui:order": fields.map((field) => field.name),
      ...Object.fromEntries(fields.map((field) => [field.name, uiFor(field)])),
    },
  };
}

/** What a control shows: null, where it is no value of the field, is nothing that was filled in. */
export function shownValue(field: PlannedField, value: unknown): unknown {
  return value === null && !takesNull(field) ? undefined : value;
}

function takesNull(field: PlannedField): boolean {
  if (field.kind === "union") return field.branches.some((branch) => takesNull(branch.field));
  return field.kind === "json" || (field.kind === "choice" && field.values.includes(null));
}

/** Whether the field's control can show `value` without losing any of it. */
export function fits(field: PlannedField, value: unknown): boolean {
  if (value === undefined) return true;
  switch (field.kind) {
    case "prompt":
    case "text":
    case "media":
    case "region":
      return typeof value === "string";
    case "moment":
      return typeof value === "string";
    case "choice":
      return typeof value !== "object" || field.values.some((each) => isSame(each, value));
    case "range":
    case "number":
    case "seed":
    case "smart-duration":
      return typeof value === "number";
    case "yes-no":
    case "confirm":
      return typeof value === "boolean";
    case "media-list":
    case "strings":
      return Array.isArray(value) && value.every((item) => typeof item === "string");
    case "messages":
      return Array.isArray(value) && value.every((message) => isDrawn(message, field.pictures));
    // What is inside them is looked at where it is drawn.
    case "items":
      return Array.isArray(value);
    case "group":
    case "map":
      return isObject(value);
    case "union":
    case "json":
      return true;
  }
}

/** A text and pictures are drawn; content of other parts, as some clients send it, is edited as JSON. */
function isDrawn(message: unknown, pictures: boolean): boolean {
  if (!isObject(message)) return false;
  const { content, tool_calls: calls } = message;
  const plain = content === undefined || content === null || typeof content === "string";
  const drawn = () => withContent(message, textOfMessage(message), picturesOf(message)).content;
  const isWhole = plain || (pictures && message.role === "user" && isSame(drawn(), content));
  return isWhole && (calls === undefined || (Array.isArray(calls) && calls.every(isObject)));
}

/** The same field, edited as JSON. */
export function asJson(field: PlannedField): PlannedField {
  const { name, title, hint, required, schema, inferred } = field;
  return {
    name,
    title,
    hint,
    required,
    schema,
    inferred,
    advanced: false,
    kind: "json",
    shape: shapeOf(field),
  };
}

function shapeOf({ kind }: PlannedField): "object" | "array" | "any" {
  if (kind === "group" || kind === "map") return "object";
  return kind === "items" ? "array" : "any";
}

function schemaFor(field: PlannedField): RJSFSchema {
  const title = field.title;
  switch (field.kind) {
    case "range":
    case "number":
    case "seed":
    case "smart-duration":
      return { type: "number", title };
    case "yes-no":
    case "confirm":
      return { type: "boolean", title };
    case "messages":
    case "media-list":
    case "strings":
      return { type: "array", title, items: {} };
    case "items":
    case "group":
    case "map":
    case "union":
    case "choice":
    case "json":
      return { title };
    default:
      return { type: "string", title };
  }
}

function uiFor(field: PlannedField): UiSchema {
  // The theme's fields find their plan in `options.plan` (`options.field` is rjsf's own).
  return { "ui:options": { plan: field }, "ui:title": field.title, "ui:field": `field:${field.kind}` };
}

/** Fields that mean something for some values of a leading choice only (specification, VOICE-1, VOICE-2, ADULT-VID). */
const audiences = byName<{ choice: string; values: string[] }>({
  page_size: { choice: "action", values: ["list"] },
  page_index: { choice: "action", values: ["list"] },
  voice: { choice: "action", values: ["query", "delete"] },
  first_frame: { choice: "mode", values: ["image-to-video"] },
  last_frame: { choice: "mode", values: ["image-to-video"] },
  reference_images: { choice: "mode", values: ["reference-to-video"] },
  reference_videos: { choice: "mode", values: ["reference-to-video"] },
  reference_audios: { choice: "mode", values: ["reference-to-video"] },
});

/** What enrols a voice: everything of the voice operations that is not named above and not asked always. */
const enrolling = new Set([
  "audio",
  "url",
  "prefix",
  "preferred_name",
  "target_model",
  "voice_prompt",
  "preview_text",
  "language_hints",
  "enable_preprocess",
  "max_prompt_audio_length",
]);

/** False when the draft's leading choice makes an optional field pointless; it is then folded away, never hidden. */
function isRelevant(field: PlannedField, value: JsonObject): boolean {
  if (field.required) return true;
  const audience =
    audiences[field.name] ??
    (enrolling.has(field.name) && "action" in value ? { choice: "action", values: ["create"] } : null);
  if (!audience) return true;
  const chosen = value[audience.choice];
  return typeof chosen !== "string" || audience.values.includes(chosen);
}
