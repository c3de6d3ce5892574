import { type Static, type TSchema, Type } from "typebox";
import { apiTypes } from "./catalog-constants.ts";
import { closed, createdFilter, Deleted, ListOf, Nullable, PageQuery, Timestamp } from "./list.ts";
import { Metadata, MetadataFilter } from "./metadata.ts";
import { bytesOf, type Routes } from "./routes/route.ts";
import { searchLimits } from "./search-words.ts";
import { requestFilter } from "./usage.ts";

const idLimit = 100;

/** A field of a body that an upstream got in another form than its caller sent it. */
const FieldChange = Type.Object({
  field: Type.String(),
  asked: Type.Optional(Type.Unknown({ description: "missing: the caller did not send the field" })),
  sent: Type.Optional(Type.Unknown({ description: "missing: the upstream did not get the field" })),
});
export type FieldChange = Static<typeof FieldChange>;

/** What a call said, without its texts. */
export const ContentSummary = Type.Object({
  id: Type.String({ description: "id of the run" }),
  object: Type.Literal("content"),
  created_at: Timestamp,
  request_id: Nullable(
    Type.String({
      description: "the request of the run; null: a row of a batch, or a response in the background",
    }),
  ),
  key_id: Nullable(Type.String()),
  user_id: Nullable(Type.String()),
  model: Type.String(),
  api_type: Type.Enum(apiTypes),
  stored: Type.Boolean({ description: "whether the caller sent `store: true`" }),
  metadata: Nullable(Metadata),
  opening: Nullable(
    Type.String({
      description:
        "the first words, at most 200 characters: of a chat, those of its latest message of the user. Null: the reader lacks an attestation that the model needs",
    }),
  ),
});
export type ContentSummary = Static<typeof ContentSummary>;

export const Content = Type.Interface([ContentSummary], {
  input: Type.Record(Type.String(), Type.Unknown(), {
    description:
      "the body of the operation as the gateway read it: a message or a response is a chat here. Bytes of files are replaced by `file:<type>;bytes=<size>;sha256=<hash>`; what is longer than 4 MB is cut in the middle",
  }),
  output: Nullable(
    Type.Record(Type.String(), Type.Unknown(), {
      description:
        "a chat completion, or a transcription. Null: there was no answer, or its text is not kept",
    }),
  ),
  error: Nullable(
    Type.Object(
      { code: Type.String(), message: Type.String() },
      { description: "the error that the caller got" },
    ),
  ),
  cut: Type.Boolean({ description: "whether the answer broke off, or its caller left" }),
  upstream_changes: Nullable(
    Type.Array(FieldChange, {
      description:
        "how the body that the last upstream got differs from the caller's: what the alias, the route, defaults and the upstream's own API changed. Longer values than 1,000 characters are replaced by a note. Null: nothing was sent as JSON, or it is not kept",
    }),
  ),
});
export type Content = Static<typeof Content>;

const stored = Type.Optional(
  Type.Literal(true, { description: "only those that were sent with `store: true`" }),
);

/** The filters of the request log: contents of the requests that it would list. */
const ofRequests = { ...requestFilter, ...createdFilter, stored };

export const ContentQuery = Type.Interface(
  [PageQuery],
  {
    model: Type.Optional(Type.String()),
    key_id: Type.Optional(Type.String()),
    metadata: Type.Optional(MetadataFilter),
    stored,
    ids: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: idLimit * 31,
        description: `only these runs: at most ${idLimit} ids with commas between them`,
      }),
    ),
  },
  closed,
);
export type ContentQuery = Static<typeof ContentQuery>;

export const ContentList = ListOf(ContentSummary);

export const ContentSearchQuery = Type.Object(
  {
    ...ofRequests,
    query: Type.String({
      minLength: 1,
      maxLength: searchLimits.length,
      description: "words in any order and case; a content matches when all of them occur in it",
    }),
    after: Type.Optional(Type.String({ description: "`next` of an earlier answer: searches on from there" })),
  },
  closed,
);
export type ContentSearchQuery = Static<typeof ContentSearchQuery>;

const FoundContent = Type.Interface([ContentSummary], {
  excerpt: Type.String({ description: "the text around the first word" }),
});
export type FoundContent = Static<typeof FoundContent>;

/** A search reads for at most a second, the newest first: there is no index of the texts. */
export const ContentSearch = Type.Object({
  object: Type.Literal("contents_search"),
  data: Type.Array(FoundContent),
  read: Type.Integer({ description: "how many contents were read" }),
  read_until: Nullable(
    Type.String({ description: "when the oldest of these was made; null: none was read" }),
  ),
  next: Nullable(Type.String({ description: "`after` of the search that continues; null: all were read" })),
});
export type ContentSearch = Static<typeof ContentSearch>;

export const ContentExportQuery = Type.Object(ofRequests, closed);
export type ContentExportQuery = Static<typeof ContentExportQuery>;

export const keptContentRoutes = {
  "GET /contents": {
    summary: "List kept contents of calls, by their first words",
    permission: "contents:read",
    extension: true,
    fromBrowser: true,
    query: ContentQuery,
    answers: { 200: ContentList },
  },
  "GET /contents/search": {
    summary: "Search in what calls said, for at most a second",
    permission: "contents:read",
    extension: true,
    fromBrowser: true,
    query: ContentSearchQuery,
    answers: { 200: ContentSearch },
  },
  "GET /contents/export": {
    summary: "Download chats as JSONL, in the shape that fine-tuning takes",
    permission: "contents:read",
    extension: true,
    fromBrowser: true,
    query: ContentExportQuery,
    otherAnswers: {
      200: bytesOf(
        "application/jsonl",
        "A line for each chat with a whole answer, the newest first, at most 10,000",
      ),
    },
  },
  "GET /contents/{id}": {
    summary: "Read what a call said, by the id of its run or request",
    permission: "contents:read",
    extension: true,
    fromBrowser: true,
    answers: { 200: Content },
  },
  "DELETE /contents/{id}": {
    summary: "Delete what a call said",
    permission: "contents:write",
    extension: true,
    byClick: true,
    answers: { 200: Deleted },
  },
} as const satisfies Routes;

/** A chat completion of OpenAI's API, with the metadata of its request. */
export const StoredCompletion = Type.Interface(
  [Type.Object({ id: Type.String(), object: Type.Literal("chat.completion"), metadata: Metadata })],
  {},
  { additionalProperties: true },
);
export type StoredCompletion = Static<typeof StoredCompletion>;

const order = Type.Optional(Type.Enum(["asc", "desc"], { description: "by time; `asc` by default" }));
const paging = {
  after: Type.Optional(Type.String()),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
  order,
};

/** OpenAI's clients send a filter by metadata as `metadata[customer]=acme`. */
export const CompletionQuery = Type.Object(
  { ...paging, model: Type.Optional(Type.String()) },
  { ...closed, patternProperties: { "^metadata\\[.{1,64}\\]$": { type: "string", maxLength: 512 } } },
);
export type CompletionQuery = Static<typeof CompletionQuery>;

const MessageQuery = Type.Object(paging, closed);

/** A list of OpenAI's API, whose order the request chooses. */
function OpenAiList<Item extends TSchema>(item: Item) {
  return Type.Object({
    object: Type.Literal("list"),
    data: Type.Array(item),
    first_id: Nullable(Type.String()),
    last_id: Nullable(Type.String()),
    has_more: Type.Boolean(),
  });
}

export const StoredCompletions = OpenAiList(StoredCompletion);
export type StoredCompletions = Static<typeof StoredCompletions>;

export const CompletionMessages = OpenAiList(
  Type.Object(
    {
      id: Type.String(),
      role: Type.String(),
      content: Nullable(Type.String()),
      content_parts: Nullable(Type.Array(Type.Unknown())),
    },
    { additionalProperties: true },
  ),
);
export type CompletionMessages = Static<typeof CompletionMessages>;

/** OpenAI's API for chats that were sent with `store: true`. */
export const storedCompletionRoutes = {
  "GET /chat/completions": {
    summary: "List stored chat completions (OpenAI)",
    permission: "contents:read",
    extension: true,
    query: CompletionQuery,
    answers: { 200: StoredCompletions },
  },
  "GET /chat/completions/{id}": {
    summary: "Read a stored chat completion (OpenAI)",
    permission: "contents:read",
    extension: true,
    answers: { 200: StoredCompletion },
  },
  "POST /chat/completions/{id}": {
    summary: "Replace the metadata of a stored chat completion (OpenAI)",
    permission: "contents:write",
    extension: true,
    body: Type.Object({ metadata: Nullable(Metadata) }, closed),
    answers: { 200: StoredCompletion },
  },
  "DELETE /chat/completions/{id}": {
    summary: "Delete a stored chat completion (OpenAI)",
    permission: "contents:write",
    extension: true,
    answers: {
      200: Type.Object({
        object: Type.Literal("chat.completion.deleted"),
        id: Type.String(),
        deleted: Type.Literal(true),
      }),
    },
  },
  "GET /chat/completions/{id}/messages": {
    summary: "List the messages of a stored chat completion (OpenAI)",
    permission: "contents:read",
    extension: true,
    query: MessageQuery,
    answers: { 200: CompletionMessages },
  },
} as const satisfies Routes;
