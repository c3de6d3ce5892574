import type { RJSFSchema, UiSchema, ValidatorType } from "@rjsf/utils";
import { byName } from "#contract/by-name.ts";
import { isSame } from "#contract/input-schema/json-values.ts";
import { isObject, type JsonObject } from "./json.ts";
import { picturesOf, textOfMessage, withContent } from "./messages.ts";
import type { FormPlan, PlannedField } from "./plan.ts";
import { satisfies } from "./validator.ts";

/**
 * The plan in the form that rjsf needs. Its schema contains no defaults, constants or unions, because rjsf
 * would write them into the draft. It also depends on the draft: a value that the control cannot show is
 * edited as JSON.
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

/** The value that a control shows. A null counts as empty if the field does not allow null. */
export function shownValue(field: PlannedField, value: unknown): unknown {
  return value === null && !takesNull(field) ? undefined : value;
}

function takesNull(field: PlannedField): boolean {
  if (field.kind === "union") return field.branches.some((branch) => takesNull(branch.field));
  return field.kind === "json" || (field.kind === "choice" && field.values.includes(null));
}

/** Whether the field's control can show `value` completely. */
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
    // The items are checked when they are rendered.
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

/** Text and pictures have a control. Other content, which some clients send, is edited as JSON. */
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
  // The theme's fields find their plan in `options.plan`, because `options.field` belongs to rjsf.
  return { "ui:options": { plan: field }, "ui:title": field.title, "ui:field": `field:${field.kind}` };
}

/**
 * Fields that apply only to some values of a choice above them (specification, VOICE-1, VOICE-2, ADULT-VID).
 */
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

/**
 * Fields for enrolling a voice: all fields of the voice operations except those above and those that are
 * always needed.
 */
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

/**
 * False if an optional field does not apply to the draft's choice. The field is then collapsed, never hidden.
 */
function isRelevant(field: PlannedField, value: JsonObject): boolean {
  if (field.required) return true;
  const audience =
    audiences[field.name] ??
    (enrolling.has(field.name) && "action" in value ? { choice: "action", values: ["create"] } : null);
  if (!audience) return true;
  const chosen = value[audience.choice];
  return typeof chosen !== "string" || audience.values.includes(chosen);
}

/** The few functions that rjsf needs of a validator. The playground shows the problems from `problemsOf`. */
export const formValidator: ValidatorType = {
  isValid: (schema, formData) => satisfies(schema, formData ?? {}),
  rawValidation: () => ({}),
  validateFormData: () => ({ errors: [], errorSchema: {} }),
};
