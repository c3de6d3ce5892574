import { type Static, Type } from "typebox";
import { Maker } from "./accounts/people.ts";
import { Gated } from "./attestations.ts";
import { conversationFields, conversationLimits } from "./conversation-constants.ts";
import { closed, Deleted, ListOf, Nullable, PageQuery, SearchFilter, Timestamp } from "./list.ts";
import type { Routes } from "./routes/route.ts";

const Name = Type.String(conversationFields.name);

const ModelId = Type.String({ minLength: 1, maxLength: 200 });

const Place = Type.Integer({ minimum: 0, maximum: conversationLimits.messages });

/** How an answer was made. This part is never sent to a model. */
export const AnswerFacts = Type.Object(
  {
    model: ModelId,
    reasoning: Type.Optional(Type.String({ description: "the model's reasoning before the answer" })),
    reasoning_ms: Type.Optional(Type.Number({ minimum: 0 })),
    total_ms: Type.Optional(Type.Number({ minimum: 0 })),
    input_tokens: Type.Optional(Type.Integer({ minimum: 0 })),
    output_tokens: Type.Optional(Type.Integer({ minimum: 0 })),
    finish_reason: Type.Optional(Type.String({ maxLength: 100 })),
    ended: Type.Optional(
      Type.Enum(["stopped", "interrupted"], { description: "true when the answer is incomplete" }),
    ),
    cost: Type.Optional(Type.String({ maxLength: 100, description: "cost as shown, such as `0.0123 USD`" })),
    sandbox: Type.Optional(Type.Boolean()),
  },
  closed,
);
export type AnswerFacts = Static<typeof AnswerFacts>;

/** A message of a conversation. Messages with the same parent are branches. */
export const SavedMessage = Type.Object(
  {
    parent: Nullable(
      Type.Integer({
        minimum: 0,
        description: "position of the previous message in the list; null: this is the first message",
      }),
    ),
    message: Type.Record(Type.String(), Type.Unknown(), {
      description: "content in the form that chat requests have",
    }),
    facts: Type.Optional(AnswerFacts),
  },
  closed,
);
export type SavedMessage = Static<typeof SavedMessage>;

export const ConversationContents = Type.Object(
  {
    system: Nullable(Type.String({ description: "the system prompt" })),
    settings: Type.Record(Type.String(), Type.Unknown(), {
      description: "parameters of the chat's requests, except `model` and `messages`",
    }),
    messages: Type.Array(SavedMessage, { maxItems: conversationLimits.messages }),
    current: Nullable(
      Type.Integer({ ...Place, description: "position of the last message of the visible branch" }),
    ),
    second_current: Nullable(
      Type.Integer({
        ...Place,
        description: "position of the last visible message in the second model's column",
      }),
    ),
  },
  closed,
);
export type ConversationContents = Static<typeof ConversationContents>;

/** A conversation in lists, which do not contain its messages. */
export const ConversationSummary = Type.Object({
  id: Type.String(),
  object: Type.Literal("conversation"),
  name: Type.String(),
  model: Type.String(),
  second_model: Nullable(Type.String({ description: "the second model, which answers beside the first" })),
  version: Type.Integer({ description: "increases by one with each change" }),
  made_by: Maker,
  /** The last person or key that changed the conversation. Null: nobody has since its creation. */
  changed_by: Nullable(Maker),
  gated: Gated,
  created_at: Timestamp,
  updated_at: Timestamp,
  kept_until: Nullable(
    Type.String({
      description:
        "when the conversation is deleted unless somebody changes it before. Null: it stays until somebody deletes it",
    }),
  ),
});
export type ConversationSummary = Static<typeof ConversationSummary>;

export const Conversation = Type.Interface([ConversationSummary], {
  contents: Nullable(ConversationContents),
});
export type Conversation = Static<typeof Conversation>;

export const ConversationCreate = Type.Object(
  {
    name: Name,
    model: ModelId,
    second_model: Type.Optional(Nullable(ModelId)),
    contents: ConversationContents,
  },
  closed,
);
export type ConversationCreate = Static<typeof ConversationCreate>;

export const ConversationUpdate = Type.Object(
  {
    version: Type.Integer({
      minimum: 1,
      description:
        "version of the conversation that the caller read. If somebody has changed the conversation since, the answer is 409",
    }),
    name: Type.Optional(Name),
    second_model: Type.Optional(Nullable(ModelId)),
    contents: Type.Optional(ConversationContents),
  },
  closed,
);
export type ConversationUpdate = Static<typeof ConversationUpdate>;

export const ConversationQuery = Type.Interface(
  [PageQuery],
  {
    model: Type.Optional(Type.String({ description: "model of the first column" })),
    search: Type.Optional(SearchFilter),
  },
  closed,
);
export type ConversationQuery = Static<typeof ConversationQuery>;

export const ConversationList = ListOf(ConversationSummary);

export const conversationRoutes = {
  "GET /conversations": {
    summary: "List saved conversations, without their messages",
    permission: "conversations:read",
    extension: true,
    fromBrowser: true,
    query: ConversationQuery,
    answers: { 200: ConversationList },
  },
  "POST /conversations": {
    summary: "Save a conversation for the account",
    permission: "conversations:write",
    extension: true,
    fromBrowser: true,
    idempotent: true,
    location: "{url}/v1/conversations/{id}",
    body: ConversationCreate,
    answers: { 201: Conversation },
  },
  "GET /conversations/{id}": {
    summary: "Read a saved conversation",
    permission: "conversations:read",
    extension: true,
    fromBrowser: true,
    answers: { 200: Conversation },
  },
  "PATCH /conversations/{id}": {
    summary: "Rename a saved conversation, or replace its contents",
    permission: "conversations:write",
    extension: true,
    fromBrowser: true,
    body: ConversationUpdate,
    answers: { 200: Conversation },
  },
  "DELETE /conversations/{id}": {
    summary: "Delete a saved conversation",
    permission: "conversations:write",
    extension: true,
    fromBrowser: true,
    byClick: true,
    answers: { 200: Deleted },
  },
} as const satisfies Routes;
