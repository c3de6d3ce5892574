import { type Static, Type } from "typebox";
import { apiTypes } from "./catalog-constants.ts";
import { closed, Deleted, ListOf, Nullable, PageQuery, Timestamp } from "./list.ts";
import { Metadata } from "./metadata.ts";
import type { Routes } from "./routes/route.ts";

const idLimit = 100;

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
});
export type Content = Static<typeof Content>;

export const ContentQuery = Type.Interface(
  [PageQuery],
  {
    model: Type.Optional(Type.String()),
    key_id: Type.Optional(Type.String()),
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

export const keptContentRoutes = {
  "GET /contents": {
    summary: "List kept contents of calls, by their first words",
    permission: "contents:read",
    extension: true,
    fromBrowser: true,
    query: ContentQuery,
    answers: { 200: ContentList },
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
