import { type Static, type TSchema, Type } from "typebox";
import { regionNames } from "./catalog-constants.ts";
import { budgetRefusal, ErrorDetail } from "./error.ts";
import { Nullable } from "./list.ts";
import { Cost } from "./money/cost.ts";
import { ProviderField } from "./provider-wishes.ts";
import type { Routes } from "./routes/route.ts";

const AnyObject = Type.Record(Type.String(), Type.Unknown());

const optional = <Item extends TSchema>(item: Item) => Type.Optional(Nullable(item));

const TextOrBlocks = Type.Union([Type.String(), Type.Array(AnyObject)]);

const asked = {
  model: Type.String({ minLength: 1 }),
  messages: Type.Array(
    Type.Object({ role: Type.Enum(["user", "assistant", "system"] as const), content: TextOrBlocks }),
    { minItems: 1 },
  ),
  system: optional(TextOrBlocks),
  tools: optional(Type.Array(AnyObject)),
  tool_choice: optional(AnyObject),
  thinking: optional(AnyObject),
};

/**
 * A message in the shape of Anthropic's Messages API. Fields that no model supports are ignored, and a
 * response header names them.
 */
export const MessageCreate = Type.Object({
  ...asked,
  max_tokens: Type.Integer({ minimum: 1 }),
  stream: optional(Type.Boolean()),
  stop_sequences: optional(Type.Array(Type.String(), { maxItems: 100 })),
  temperature: optional(Type.Number({ minimum: 0, maximum: 2 })),
  top_p: optional(Type.Number({ minimum: 0, maximum: 1 })),
  top_k: optional(Type.Integer({ minimum: 0 })),
  metadata: optional(Type.Object({ user_id: optional(Type.String({ maxLength: 1_000 })) })),
  service_tier: optional(Type.String({ maxLength: 50 })),
  output_config: optional(
    Type.Object({ effort: optional(Type.String({ maxLength: 50 })), format: optional(AnyObject) }),
  ),
  region: optional(Type.Enum(regionNames)),
  provider: ProviderField,
});
export type MessageCreate = Static<typeof MessageCreate>;

export const TokenCountCreate = Type.Object(asked);
export type TokenCountCreate = Static<typeof TokenCountCreate>;

/** A text, a thought or a tool call, according to `type`. */
const Block = Type.Record(Type.String(), Type.Unknown(), {
  description: "kind of the block, which determines its other fields",
});

export type Block = Record<string, unknown>;

/** An error of the Messages API, in the shape that Anthropic's clients read. */
export const MessageError = Type.Object({
  type: Type.Literal("error"),
  error: Type.Object({
    type: Type.String(),
    message: Type.String(),
    code: Type.String({ description: "One of this gateway's error codes" }),
    param: Nullable(Type.String()),
    details: Type.Optional(Type.Array(ErrorDetail)),
    ...budgetRefusal,
  }),
  request_id: Nullable(Type.String()),
});

const Usage = Type.Object({
  input_tokens: Type.Integer({ description: "Input tokens, without cached ones" }),
  output_tokens: Type.Integer(),
  cache_creation_input_tokens: Type.Integer(),
  cache_read_input_tokens: Type.Integer(),
  cache_creation: Nullable(AnyObject),
  output_tokens_details: Nullable(AnyObject),
  server_tool_use: Nullable(AnyObject),
  service_tier: Nullable(Type.String()),
  inference_geo: Nullable(Type.String()),
});

export const Message = Type.Object({
  id: Type.String(),
  type: Type.Literal("message"),
  role: Type.Literal("assistant"),
  model: Type.String(),
  content: Type.Array(Block),
  stop_reason: Nullable(Type.String()),
  stop_sequence: Nullable(Type.String()),
  usage: Usage,
  svc_region: Type.Enum(regionNames),
  svc_cost: Type.Optional(Cost),
  svc_continued: Type.Optional(
    Type.Array(Type.String(), {
      description: "the models that wrote the answer in turn, when another model continued a broken stream",
    }),
  ),
});
export type Message = Static<typeof Message>;

export const TokenCount = Type.Object({
  input_tokens: Type.Integer(),
  svc_estimated: Type.Boolean({ description: "An estimate, not the count of the model's tokenizer" }),
});
export type TokenCount = Static<typeof TokenCount>;

/** Anthropic's Messages API on top of a model's chat. */
export const messageRoutes = {
  "POST /messages": {
    summary: "Create a message in Anthropic's shape",
    permission: "operations:run",
    extension: true,
    operation: "chat-completions",
    idempotent: true,
    errors: "anthropic",
    body: MessageCreate,
    answers: { 200: Message },
    otherAnswers: {
      200: {
        description: "The message; with `stream`, its events",
        content: {
          "application/json": { schema: Message },
          "text/event-stream": { schema: { type: "string" } },
        },
      },
    },
  },
  "POST /messages/count_tokens": {
    summary: "Count the tokens of a message",
    permission: "operations:run",
    asMuchAsOperation: true,
    extension: true,
    errors: "anthropic",
    body: TokenCountCreate,
    answers: { 200: TokenCount },
  },
} as const satisfies Routes;
