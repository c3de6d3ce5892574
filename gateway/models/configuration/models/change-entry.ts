import type { InputModality, JsonSchema } from "#contract/catalog.ts";
import { isRecord } from "#contract/input-schema/json-values.ts";
import type { OperatorModelUpdate } from "#contract/operator/models.ts";
import { compile, mediaPaths } from "#gateway/models/catalog/compile.ts";
import { messagesOf } from "#gateway/models/catalog/entries/messages.ts";
import { withMinimumAge } from "#gateway/models/catalog/entries/pieces.ts";
import {
  type Entry,
  type EntryOperation,
  type InternalRules,
  invalidSchema,
  type MediaKind,
} from "#gateway/models/catalog/entry.ts";
import { plainSchema } from "#gateway/models/providers/descriptions.ts";
import { recordOf } from "#gateway/models/providers/http/read-body.ts";
import { invalidParameter } from "#gateway/platform/core/api-error.ts";
import { namedAs } from "./entry-of-template.ts";
import { outputSchemaOf } from "./import/propose.ts";

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

type Media = Record<string, MediaKind>;

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
    throw invalidParameter(
      "input_modalities",
      `input_modalities can be set only for chat-completions, but ${id} is a model for ${kind}.`,
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

/**
 * The schema with exactly these fields marked as media. Throws `invalid_schema` for a path that is not a text
 * field.
 */
function withMedia(schema: JsonSchema, media: Media): JsonSchema {
  const found = new Set<string>();
  const mark = (part: JsonSchema, path: string): JsonSchema => {
    const { "x-svc-media": _, ...plain } = part;
    const kind = media[path];
    const isText = [plain.type].flat().includes("string");
    if (kind && isText) found.add(path);
    const below = (name: string) => (path === "" ? name : `${path}/${name}`);
    return {
      ...plain,
      ...(isRecord(plain.properties) && {
        properties: Object.fromEntries(
          Object.entries(plain.properties).map(([name, child]) => [
            name,
            isRecord(child) ? mark(child, below(name)) : child,
          ]),
        ),
      }),
      ...(isRecord(plain.items) && { items: mark(plain.items, below("*")) }),
      ...(kind && isText && { "x-svc-media": kind }),
    };
  };
  const marked = mark(schema, "");
  const missing = Object.keys(media).find((path) => !found.has(path));
  if (missing !== undefined)
    throw invalidSchema(`The input schema has no text field ${missing} that could be media.`, "fields.media");
  return marked;
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
  throw invalidParameter(param, `${param} of ${kind} must be ${possible.join(" or ")}.`);
}

/** The largest entry, in characters of JSON, without its example. */
const maxCharacters = 200_000;

const maxExampleCharacters = 400_000;

/**
 * Throws `invalid_schema` for an entry that could not run: an invalid schema, an example that the schema
 * refuses, or a missing field that the kind needs.
 */
export function checkEntry(entry: Entry): void {
  const [operation] = entry.operations;
  if (!operation) throw invalidSchema(`${entry.id} has no operation.`);
  const { example, ...rest } = operation;
  if (JSON.stringify(rest).length > maxCharacters)
    throw invalidSchema(`The schema is larger than ${maxCharacters} characters.`, "input_schema");
  if (JSON.stringify(example).length > maxExampleCharacters)
    throw invalidSchema(`The example is larger than ${maxExampleCharacters} characters.`, "example");
  checkNeeds(operation);
  const compiled = compiledOf(operation);
  const [problem] = compiled.validate(structuredClone(example));
  if (problem)
    throw invalidSchema(
      `The example does not fit the schema: ${problem.path || "it"} ${problem.message}.`,
      "example",
    );
}

function compiledOf(operation: EntryOperation) {
  try {
    return compile(operation);
  } catch (error) {
    throw invalidSchema(
      `The input schema is not valid JSON Schema: ${error instanceof Error ? error.message : String(error)}`,
      "input_schema",
    );
  }
}

/** The fields that the gateway itself reads from each kind's input. */
const needs: Partial<Record<EntryOperation["api_type"], Record<string, string>>> = {
  "chat-completions": { messages: "array" },
  "text-to-speech": { input: "string" },
  "voice-management": { action: "string" },
};

function checkNeeds({ api_type: kind, input_schema: schema }: EntryOperation): void {
  for (const [name, type] of Object.entries(needs[kind] ?? {}))
    if (recordOf(recordOf(schema.properties)[name]).type !== type)
      throw invalidSchema(`${kind} needs a field ${name} of type ${type}.`, "input_schema");
}

/** The media fields marked in a schema, by path: `image`, `frames/*`, `shots/*` + `/image`. */
export function mediaOf(schema: JsonSchema): Media {
  return Object.fromEntries(mediaPaths(schema).map(({ steps, kind }) => [steps.join("/"), kind]));
}
