import { type Static, type TSchema, Type } from "typebox";
import { Gated } from "./attestations.ts";
import { regionNames } from "./catalog-constants.ts";
import { closed, ListOf, Nullable } from "./list.ts";
import { TokenCount } from "./messages.ts";
import { Cost } from "./money/cost.ts";
import { ProviderField } from "./provider-wishes.ts";
import { SignedReceipt } from "./receipts.ts";
import { noBody, type Routes } from "./routes/route.ts";

const AnyObject = Type.Record(Type.String(), Type.Unknown());

const optional = <Item extends TSchema>(item: Item) => Type.Optional(Nullable(item));

const text = (most: number) => Type.String({ maxLength: most });

/** OpenAI's limits. */
const Metadata = Type.Record(Type.String({ maxLength: 64 }), text(512), { maxProperties: 16 });

/**
 * A response in the shape of OpenAI's Responses API. Other fields are passed to the model as in a chat.
 * Unsupported fields are refused by name.
 */
export const ResponseCreate = Type.Object({
  model: Type.String({ minLength: 1 }),
  input: optional(Type.Union([Type.String(), Type.Array(AnyObject)])),
  instructions: optional(Type.String()),
  previous_response_id: optional(text(200)),
  store: optional(
    Type.Boolean({
      description: "False: the response is not stored. By default it is stored for the retention time",
    }),
  ),
  stream: optional(Type.Boolean()),
  include: optional(Type.Array(text(200), { maxItems: 20 })),
  metadata: optional(Metadata),
  tools: optional(Type.Array(AnyObject)),
  tool_choice: optional(Type.Union([Type.String(), AnyObject])),
  parallel_tool_calls: optional(Type.Boolean()),
  max_output_tokens: optional(Type.Integer({ minimum: 1 })),
  max_tool_calls: optional(Type.Integer({ minimum: 1 })),
  temperature: optional(Type.Number({ minimum: 0, maximum: 2 })),
  top_p: optional(Type.Number({ minimum: 0, maximum: 1 })),
  top_logprobs: optional(Type.Integer({ minimum: 0, maximum: 20 })),
  presence_penalty: optional(Type.Number({ minimum: -2, maximum: 2 })),
  frequency_penalty: optional(Type.Number({ minimum: -2, maximum: 2 })),
  reasoning: optional(
    Type.Object({
      effort: optional(text(50)),
      summary: optional(text(50)),
      generate_summary: optional(text(50)),
    }),
  ),
  text: optional(Type.Object({ format: optional(AnyObject), verbosity: optional(text(50)) })),
  truncation: optional(text(50)),
  background: optional(Type.Boolean()),
  callback_url: optional(
    Type.String({
      description:
        "with `background`: an address that gets an event when the response has ended, in addition to the account's endpoints",
    }),
  ),
  service_tier: optional(text(50)),
  safety_identifier: optional(text(200)),
  prompt_cache_key: optional(text(1_000)),
  prompt_cache_retention: optional(text(50)),
  user: optional(text(1_000)),
  region: optional(Type.Enum(regionNames)),
  provider: ProviderField,
});
export type ResponseCreate = Static<typeof ResponseCreate>;

/**
 * The longest answer of a compaction where a budget must know what it can cost at most: OpenAI's clients cannot
 * say it.
 */
export const compactionTokens = 8_192;

/** A conversation to shorten. */
export const ResponseCompact = Type.Object({
  model: Type.String({ minLength: 1 }),
  input: ResponseCreate.properties.input,
  instructions: ResponseCreate.properties.instructions,
  previous_response_id: ResponseCreate.properties.previous_response_id,
  max_output_tokens: optional(
    Type.Integer({
      minimum: 1,
      description: `the longest answer; ${compactionTokens} by default where a budget limits what runs cost`,
    }),
  ),
  prompt_cache_key: ResponseCreate.properties.prompt_cache_key,
  region: ResponseCreate.properties.region,
  provider: ProviderField,
});
export type ResponseCompact = Static<typeof ResponseCompact>;

/** A message, reasoning, a tool call or its result; `type` says which. */
const Item = Type.Record(Type.String(), Type.Unknown(), { description: "An item of the kind in `type`" });

export type Item = Record<string, unknown>;

const Usage = Type.Object({
  input_tokens: Type.Integer(),
  input_tokens_details: Type.Object({ cached_tokens: Type.Integer() }),
  output_tokens: Type.Integer(),
  output_tokens_details: Type.Object({ reasoning_tokens: Type.Integer() }),
  total_tokens: Type.Integer(),
});

export const responseStatuses = [
  "queued",
  "in_progress",
  "completed",
  "incomplete",
  "failed",
  "cancelled",
] as const;

/** Answers always contain all fields. */
export const Response = Type.Object({
  id: Type.String(),
  object: Type.Literal("response"),
  created_at: Type.Integer({ description: "Unix seconds" }),
  completed_at: Nullable(Type.Integer({ description: "Unix seconds" })),
  status: Type.Enum(responseStatuses),
  incomplete_details: Nullable(Type.Object({ reason: Type.String() })),
  error: Nullable(Type.Object({ code: Type.String(), message: Type.String() })),
  model: Type.String(),
  previous_response_id: Nullable(Type.String()),
  instructions: Nullable(Type.String()),
  output: Type.Array(Item),
  tools: Type.Array(AnyObject),
  tool_choice: Type.Union([Type.String(), AnyObject]),
  truncation: Type.String(),
  parallel_tool_calls: Type.Boolean(),
  text: AnyObject,
  top_p: Type.Number(),
  presence_penalty: Type.Number(),
  frequency_penalty: Type.Number(),
  top_logprobs: Type.Integer(),
  temperature: Type.Number(),
  reasoning: AnyObject,
  usage: Nullable(Usage),
  max_output_tokens: Nullable(Type.Integer()),
  max_tool_calls: Nullable(Type.Integer()),
  store: Type.Boolean(),
  background: Type.Boolean(),
  service_tier: Type.String(),
  metadata: Metadata,
  safety_identifier: Nullable(Type.String()),
  prompt_cache_key: Nullable(Type.String()),
  user: Nullable(Type.String()),
  svc_region: Type.Enum(regionNames),
  svc_cost: Type.Optional(Cost),
  svc_continued: Type.Optional(
    Type.Array(Type.String(), {
      description: "the models that wrote the answer in turn, when another model continued a broken stream",
    }),
  ),
  gated: Type.Optional(Gated),
});
export type Response = Static<typeof Response>;

export const Compaction = Type.Object({
  id: Type.String(),
  object: Type.Literal("response.compaction"),
  created_at: Type.Integer({ description: "Unix seconds" }),
  output: Type.Array(Item, { description: "Items that replace the conversation in the next input" }),
  usage: Usage,
});
export type Compaction = Static<typeof Compaction>;

export const ResponseTokenCount = Type.Object({
  object: Type.Literal("response.input_tokens"),
  ...TokenCount.properties,
});
export type ResponseTokenCount = Static<typeof ResponseTokenCount>;

export const ResponseDeleted = Type.Object({
  id: Type.String(),
  object: Type.Literal("response"),
  deleted: Type.Literal(true),
});
export type ResponseDeleted = Static<typeof ResponseDeleted>;

const Include = Type.Union([Type.Array(Type.String()), Type.String()]);

export const ResponseQuery = Type.Object(
  { include: Type.Optional(Include), "include[]": Type.Optional(Include) },
  closed,
);
export type ResponseQuery = Static<typeof ResponseQuery>;

export const ResponseReadQuery = Type.Object(
  {
    ...ResponseQuery.properties,
    stream: Type.Optional(
      Type.Boolean({
        description: "true: stream the response's events, first those so far, then the others as they come",
      }),
    ),
    starting_after: Type.Optional(
      Type.Integer({ minimum: 0, description: "stream only events after this number" }),
    ),
    include_obfuscation: Type.Optional(
      Type.Boolean({ description: "has no effect: this gateway never pads events" }),
    ),
  },
  closed,
);

/** Oldest first with `asc`. */
export const InputItemsQuery = Type.Object(
  {
    ...ResponseQuery.properties,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
    after: Type.Optional(Type.String()),
    order: Type.Optional(Type.Enum(["asc", "desc"] as const)),
  },
  closed,
);
export type InputItemsQuery = Static<typeof InputItemsQuery>;

export const InputItemList = ListOf(Item);
export type InputItemList = Static<typeof InputItemList>;

const responseOrEvents = {
  200: {
    description: "The response; with `stream`, its events",
    content: {
      "application/json": { schema: Response },
      "text/event-stream": { schema: { type: "string" } },
    },
  },
};

/** OpenAI's Responses API on top of a model's chat. */
export const responseRoutes = {
  "POST /responses": {
    summary: "Create a response",
    permission: "operations:run",
    extension: true,
    operation: "chat-completions",
    idempotent: true,
    body: ResponseCreate,
    answers: { 200: Response },
    otherAnswers: responseOrEvents,
  },
  "POST /responses/compact": {
    summary: "Shorten a conversation",
    permission: "operations:run",
    extension: true,
    operation: "chat-completions",
    idempotent: true,
    body: ResponseCompact,
    answers: { 200: Compaction },
  },
  "POST /responses/input_tokens": {
    summary: "Count the tokens of a response's input",
    asMuchAsOperation: true,
    permission: "operations:run",
    extension: true,
    body: ResponseCreate,
    answers: { 200: ResponseTokenCount },
  },
  "GET /responses/{id}": {
    summary: "Read a stored response",
    permission: "predictions:read",
    extension: true,
    query: ResponseReadQuery,
    answers: { 200: Response },
    otherAnswers: responseOrEvents,
  },
  "GET /responses/{id}/receipt": {
    summary: "Read the signed receipt of a stored response",
    permission: "predictions:read",
    extension: true,
    answers: { 200: SignedReceipt },
  },
  "DELETE /responses/{id}": {
    summary: "Delete a stored response",
    permission: "predictions:cancel",
    extension: true,
    answers: { 200: ResponseDeleted },
  },
  "POST /responses/{id}/cancel": {
    summary: "Cancel a background response",
    permission: "predictions:cancel",
    extension: true,
    answers: { 200: Response },
  },
  "GET /responses/{id}/input_items": {
    summary: "List the input of a stored response",
    permission: "predictions:read",
    extension: true,
    query: InputItemsQuery,
    answers: { 200: InputItemList },
  },
} as const satisfies Routes;

/** Each message from the client is a `response.create`, each message from the gateway an event. */
export const socketRoutes = {
  "GET /responses": {
    summary: "Create responses over a WebSocket",
    permission: "operations:run",
    extension: true,
    stream: true,
    otherAnswers: { 101: noBody("The connection is a WebSocket") },
  },
} as const satisfies Routes;
