import { Type } from "typebox";
import type { ApiType, CatalogOperation } from "#contract/catalog.ts";
import { Prediction } from "#contract/prediction.ts";
import type { Context } from "#gateway/context.ts";

type Schema = Record<string, unknown>;
type Content = Record<string, { schema: Schema; examples?: unknown }>;

const binary: Schema = { type: "string", contentMediaType: "application/octet-stream" };
/** The names that OpenAI's clients use for files and texts of a multipart body. */
const multipartNames: Partial<Record<ApiType, Record<string, Schema>>> = {
  "audio-transcription": { file: binary },
  "image-editing": { "image[]": { type: "array", items: binary } },
  "video-generation": { input_reference: binary, seconds: { type: "string" } },
};
const accepted = "Accepted: poll `poll_url` or wait for the webhook";

/** The answer of a sync operation on the generic route. */
const SyncPrediction = Type.Object({
  id: Type.String(),
  object: Type.Literal("prediction"),
  model: Type.Optional(Type.String()),
  status: Type.Literal("succeeded"),
  output: Type.Unknown(),
  error: Type.Null(),
  completed_at: Type.String(),
});

/** The body of one kind's route: a schema per entry, selected by `model`, as JSON and, with files, as multipart. */
export function operationBody(context: Context, apiType: ApiType): Schema {
  const operations = context.catalog.operationsOfKind(apiType);
  const schema = {
    oneOf: operations.map(({ id, input_schema: input }) => ({ title: id, ...input })),
    examples: operations.map(({ example }) => example),
  };
  const files = multipartNames[apiType];
  const multipart = files && { "multipart/form-data": { schema: multipartSchema(operations, files) } };
  return { content: { "application/json": { schema }, ...multipart } satisfies Content };
}

/** Text parts are coerced to the types of the entry's schema, so here they are strings. */
function multipartSchema(operations: readonly CatalogOperation[], files: Record<string, Schema>): Schema {
  const properties: Record<string, Schema> = {};
  for (const { input_schema: input } of operations)
    for (const [name, schema] of Object.entries(propertiesOf(input)))
      properties[name] = hasMedia(schema) ? { anyOf: [binary, { type: "string" }] } : { type: "string" };
  return { type: "object", required: ["model"], properties: { ...properties, ...files } };
}

/** The answers of one kind's route, by status. */
export function operationAnswers(context: Context, apiType: ApiType): Record<string, Schema> {
  const operations = context.catalog.operationsOfKind(apiType);
  const sync = operations.find(({ execution_mode: mode }) => mode !== "async");
  const isAsync = operations.some(({ execution_mode: mode }) => mode === "async");
  const results: Schema[] = [...(sync ? [sync.output_schema] : []), ...(isAsync ? [{ ...Prediction }] : [])];
  const content: Content =
    apiType === "text-to-speech"
      ? {
          "audio/wav": { schema: sync?.output_schema ?? binary },
          "audio/mpeg": { schema: binary },
          "audio/pcm": { schema: binary },
          "audio/ogg": { schema: binary },
          "audio/aac": { schema: binary },
          "audio/flac": { schema: binary },
        }
      : { "application/json": { schema: anyOf(results) } };
  if (apiType === "audio-transcription")
    for (const type of ["text/plain", "text/vtt", "application/x-subrip", "text/event-stream"])
      content[type] = { schema: { type: "string", description: "With `response_format` or `stream`" } };
  if (sync?.execution_mode === "sync-or-stream")
    content["text/event-stream"] = { schema: { type: "string", description: "With `stream`" } };
  const description = isAsync ? "The result; for an async entry only with `Prefer: wait`" : "The result";
  return { 200: { description, content }, ...(isAsync && { 202: { ...Prediction, description: accepted } }) };
}

/** The body of the generic route: any entry's input, without `model`, which is in the path. */
export function anyOperationBody(context: Context): Schema {
  const operations = context.catalog.list().data.flatMap((model) => model.operations);
  const inputs = operations.map(({ id, input_schema: input }) => {
    const { model: _model, ...properties } = propertiesOf(input);
    const required = Array.isArray(input.required) ? input.required.filter((name) => name !== "model") : [];
    return { title: id, ...input, properties, required };
  });
  const schema = { type: "object", required: ["input"], properties: { input: { anyOf: inputs } } };
  return { content: { "application/json": { schema } } satisfies Content };
}

export function anyOperationAnswers(): Record<string, Schema> {
  return {
    200: { ...anyOf([{ ...SyncPrediction }, { ...Prediction }]), description: "The prediction has ended" },
    202: { ...Prediction, description: accepted },
  };
}

function anyOf(schemas: Schema[]): Schema {
  const [first = {}, ...more] = schemas;
  return more.length === 0 ? first : { anyOf: schemas };
}

function propertiesOf(schema: Schema): Record<string, Schema> {
  return (schema.properties ?? {}) as Record<string, Schema>;
}

function hasMedia(schema: Schema): boolean {
  const items = schema.items as Schema | undefined;
  return schema["x-svc-media"] !== undefined || (items !== undefined && hasMedia(items));
}
