import type { InputModality, JsonSchema } from "#contract/catalog.ts";
import type { OperatorModelUpdate } from "#contract/operator/models.ts";
import { messagesOf } from "#gateway/models/catalog/entries/messages.ts";
import { withMinimumAge } from "#gateway/models/catalog/entries/pieces.ts";
import type { Entry, EntryOperation, InternalRules } from "#gateway/models/catalog/entry.ts";
import { plainSchema } from "#gateway/models/providers/descriptions.ts";
import { recordOf } from "#gateway/models/providers/http/read-body.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { namedAs } from "./entry-of-template.ts";
import { outputSchemaOf } from "./import/propose.ts";
import { withMedia } from "./media-marks.ts";

/** The execution modes that each kind allows. */
const modesOf: Record<EntryOperation["api_type"], readonly EntryOperation["execution_mode"][]> = {
  "chat-completions": ["sync-or-stream"],
  "text-to-speech": ["sync"],
  "audio-transcription": ["sync"],
  "voice-management": ["sync"],
  "image-generation": ["async", "sync"],
  "image-editing": ["async", "sync"],
  "video-generation": ["async"],
  embeddings: ["sync"],
  rerank: ["sync"],
};
/** The billing units that can be measured for each kind. */
const unitsOf: Record<EntryOperation["api_type"], readonly EntryOperation["billing_unit"][]> = {
  "chat-completions": ["token"],
  "text-to-speech": ["character"],
  "audio-transcription": ["second"],
  "voice-management": ["operation"],
  "image-generation": ["generation"],
  "image-editing": ["generation"],
  "video-generation": ["second", "generation"],
  embeddings: ["token"],
  rerank: ["operation"],
};

/**
 * An entry with an operator's changes. Throws `invalid_parameter` for changes that its kind does not allow.
 */
export function changeEntry(entry: Entry, changes: OperatorModelUpdate): Entry {
  const regions = changes.regions ?? entry.regions;
  const [operation] = entry.operations;
  if (!operation) throw new Error(`${entry.id} has no operation`);
  const { description, cover_url, ...kept } = entry;
  return {
    ...kept,
    ...textOf("description", changes.description, description),
    ...textOf("cover_url", changes.cover_url, cover_url),
    regions,
    safety_requirements: withMinimumAge({ ...entry.safety_requirements, ...changes.safety_requirements }),
    operations: [changeOperation(entry.id, regions, operation, changes)],
    ...(changes.input_modalities && { input_modalities: changes.input_modalities }),
  };
}

function changeOperation(
  id: string,
  regions: Entry["regions"],
  operation: EntryOperation,
  changes: OperatorModelUpdate,
): EntryOperation {
  const kind = operation.api_type;
  const mode = changes.execution_mode ?? operation.execution_mode;
  const unit = changes.billing_unit ?? operation.billing_unit;
  assertOneOf("execution_mode", kind, modesOf[kind], mode);
  assertOneOf("billing_unit", kind, unitsOf[kind], unit);
  if (changes.input_modalities && kind !== "chat-completions")
    throw new ApiError(
      "invalid_parameter",
      `input_modalities can be set only for chat-completions, but ${id} is a model for ${kind}.`,
      {
        param: "input_modalities",
      },
    );
  const given = changes.input_schema ? plainSchema(changes.input_schema) : operation.input_schema;
  const schema = changes.input_modalities ? withParts(given, changes.input_modalities) : given;
  const media = changes.fields?.media;
  const internal = internalOf(operation.internal, changes);
  const { internal: _, ...rest } = operation;
  return {
    ...rest,
    execution_mode: mode,
    billing_unit: unit,
    limits: changes.limits ?? operation.limits,
    output_schema: mode === operation.execution_mode ? operation.output_schema : outputSchemaOf(kind, mode),
    ...namedAs(id, regions, {
      input_schema: media ? withMedia(schema, media) : schema,
      example: changes.example ?? operation.example,
    }),
    ...(internal && { internal }),
  };
}

/** The schema of a chat whose messages can contain these kinds of input. */
function withParts(schema: JsonSchema, modalities: readonly InputModality[]): JsonSchema {
  const properties = recordOf(schema.properties);
  return { ...schema, properties: { ...properties, messages: messagesOf(modalities) } };
}

/** The media fields marked in the schema replace the entry's own list. */
function internalOf(
  before: InternalRules | undefined,
  { fields, input_schema }: OperatorModelUpdate,
): InternalRules | null {
  const { output, media, ...rules } = before ?? {};
  const changed = {
    ...rules,
    ...(input_schema && { imported: true as const }),
    ...(media && !fields?.media && { media }),
    ...textOf("output", fields?.output, output),
  };
  return Object.keys(changed).length > 0 ? changed : null;
}

function textOf<Name extends string>(
  name: Name,
  changed: string | null | undefined,
  before: string | undefined,
): Partial<Record<Name, string>> {
  const text = changed === undefined ? before : changed;
  return (text ? { [name]: text } : {}) as Partial<Record<Name, string>>;
}

function assertOneOf(param: string, kind: string, possible: readonly string[], value: string): void {
  if (possible.includes(value)) return;
  throw new ApiError("invalid_parameter", `${param} of ${kind} must be ${possible.join(" or ")}.`, { param });
}
