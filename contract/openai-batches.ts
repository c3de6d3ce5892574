import { type Static, Type } from "typebox";
import { Batch, openAiEndpoints } from "./batches.ts";
import { closed, ListOf, Nullable } from "./list.ts";
import { Metadata } from "./metadata.ts";
import { UnixTime } from "./upload.ts";

/** The only completion window that OpenAI's API has. */
export const completionWindow = "24h";

export const OpenAiBatchCreate = Type.Object(
  {
    input_file_id: Type.String({
      minLength: 1,
      maxLength: 200,
      description: "a file of `application/jsonl` with one request in OpenAI's batch format per line",
    }),
    endpoint: Type.Enum(Object.keys(openAiEndpoints) as (keyof typeof openAiEndpoints)[], {
      description: "path that every line calls",
    }),
    completion_window: Type.Enum([completionWindow] as const),
    metadata: Type.Optional(Nullable(Metadata)),
  },
  { ...closed, title: "In OpenAI's shape" },
);
export type OpenAiBatchCreate = Static<typeof OpenAiBatchCreate>;

/** The fields that identify the shape of a body. */
export function isOpenAiBatch(body: unknown): body is OpenAiBatchCreate {
  const fields = Object(body) as object;
  return ["input_file_id", "endpoint", "completion_window"].some((name) => Object.hasOwn(fields, name));
}

export const maxCustomIdLength = 200;

/** A line of the input file. Other fields are ignored. */
export const OpenAiRequestLine = Type.Object({
  custom_id: Type.String({ minLength: 1, maxLength: maxCustomIdLength }),
  method: Type.Literal("POST"),
  url: Type.String(),
  body: Type.Record(Type.String(), Type.Unknown()),
});
export type OpenAiRequestLine = Static<typeof OpenAiRequestLine>;

const openAiStatuses = [
  "in_progress",
  "finalizing",
  "completed",
  "failed",
  "expired",
  "cancelling",
  "cancelled",
] as const;

export const OpenAiBatch = Type.Object({
  id: Type.String(),
  object: Type.Literal("batch"),
  endpoint: Type.String(),
  input_file_id: Type.String(),
  completion_window: Type.Literal(completionWindow),
  status: Type.Enum(openAiStatuses),
  model: Type.String(),
  errors: Nullable(
    Type.Object(
      {
        object: Type.Literal("list"),
        data: Type.Array(
          Type.Object({
            code: Type.String(),
            message: Type.String(),
            param: Type.Null(),
            line: Type.Null(),
          }),
        ),
      },
      {
        description:
          "why the gateway stopped or paused the batch. Failed lines are in the error file instead",
      },
    ),
  ),
  output_file_id: Nullable(Type.String()),
  error_file_id: Nullable(Type.String()),
  created_at: UnixTime,
  in_progress_at: UnixTime,
  expires_at: UnixTime,
  completed_at: Nullable(UnixTime),
  failed_at: Nullable(UnixTime),
  expired_at: Nullable(UnixTime),
  cancelled_at: Nullable(UnixTime),
  request_counts: Type.Object({
    total: Type.Integer(),
    completed: Type.Integer(),
    failed: Type.Integer(),
  }),
  metadata: Nullable(Metadata),
});
export type OpenAiBatch = Static<typeof OpenAiBatch>;

/** Each batch is answered in the shape in which it was created. */
export const MixedBatchList = ListOf(Type.Union([OpenAiBatch, Batch]));
