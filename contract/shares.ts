import { type Static, Type } from "typebox";
import { Maker } from "./accounts/people.ts";
import { closed, Deleted, ListOf, Nullable, PageQuery, Timestamp } from "./list.ts";
import { Provenance } from "./outputs.ts";
import { bytesOf, noBody, type Routes } from "./routes/route.ts";
import { shareLimits } from "./share-constants.ts";

export * from "./share-constants.ts";

const SharedOutput = Type.Object({
  id: Type.String(),
  model: Type.String(),
  content_type: Type.String(),
  expires_at: Nullable(
    Type.String({
      format: "date-time",
      description: "when the file will be removed; null: it was removed, or it is kept",
    }),
  ),
  removed: Type.Boolean({ description: "true when the file was removed" }),
});

/** A link to one output, or to several for comparison, as the account's members see it. */
export const Share = Type.Object({
  id: Type.String(),
  object: Type.Literal("share"),
  url: Type.String({ description: "address of the page, which anybody with the link can open" }),
  outputs: Type.Array(SharedOutput),
  shows_prompt: Type.Boolean(),
  gated: Type.Boolean({
    description:
      "true when only signed-in people with the attestations that the models require can open the link",
  }),
  made_by: Maker,
  created_at: Timestamp,
  expires_at: Timestamp,
  openings: Type.Integer({
    description: "number of times the link was opened; at most one per second counts",
  }),
  last_opened_at: Nullable(Timestamp),
});
export type Share = Static<typeof Share>;

export const ShareList = ListOf(Share);
export type ShareList = Static<typeof ShareList>;

/** The links to an output, and the options of a new one. */
export const OutputShares = Type.Interface([ShareList], {
  max_expires_in: Type.Integer({
    description: "longest duration of a link in seconds; 0: the operator has turned sharing off",
  }),
  file_expires_at: Nullable(Type.String({ format: "date-time" })),
  has_prompt: Type.Boolean({ description: "true when a prompt is known and could be shown" }),
  gated: Type.Boolean(),
});
export type OutputShares = Static<typeof OutputShares>;

export const ShareCreate = Type.Object(
  {
    expires_in: Type.Integer({
      minimum: shareLimits.minSeconds,
      description: "duration in seconds; the link ends earlier if its files are removed earlier",
    }),
    with: Type.Optional(
      Type.Array(Type.String({ maxLength: 100 }), {
        maxItems: shareLimits.outputs - 1,
        description: "further outputs to show beside this one",
      }),
    ),
    show_prompt: Type.Optional(Type.Boolean({ default: false })),
  },
  closed,
);
export type ShareCreate = Static<typeof ShareCreate>;

export const ShareQuery = PageQuery;

const SharedFile = Type.Object({
  url: Nullable(
    Type.String({ description: "URL of the file, valid as long as the link; null: the file was removed" }),
  ),
  model: Type.String(),
  model_name: Type.String({ description: "display name" }),
  content_type: Type.String(),
  size_bytes: Type.Integer(),
  width: Nullable(Type.Integer()),
  height: Nullable(Type.Integer()),
  duration: Nullable(Type.Number({ description: "seconds" })),
  prompt: Nullable(Type.String({ description: "prompt of the run; null: not shown" })),
  provenance: Provenance,
  ai_label: Nullable(
    Type.String({
      description: "notice to show beside the file; null: the sandbox made the file without a model",
    }),
  ),
  sandbox: Type.Boolean(),
  created_at: Timestamp,
  expires_at: Nullable(Timestamp),
});
export type SharedFile = Static<typeof SharedFile>;

/** The answer to a visitor who opens a link. */
export const Shared = Type.Object({
  object: Type.Literal("shared"),
  files: Type.Array(SharedFile),
  gated: Type.Boolean({ description: "true when downloading the files also needs the signed-in person" }),
  expires_at: Timestamp,
});
export type Shared = Static<typeof Shared>;

/** Links that show outputs to people without an account (extensions). */
export const shareRoutes = {
  "GET /shares": {
    summary: "List the active links",
    permission: "outputs:share",
    extension: true,
    fromBrowser: true,
    query: ShareQuery,
    answers: { 200: ShareList },
  },
  "GET /outputs/{id}/shares": {
    summary: "List the active links to an output, and the options of a new link",
    permission: "outputs:share",
    extension: true,
    fromBrowser: true,
    query: ShareQuery,
    answers: { 200: OutputShares },
  },
  "POST /outputs/{id}/shares": {
    summary: "Create a link to an output, or to several for comparison",
    permission: "outputs:share",
    extension: true,
    idempotent: true,
    body: ShareCreate,
    answers: { 201: Share },
  },
  "DELETE /outputs/{id}/shares/{share_id}": {
    summary: "Revoke a link, which stops working at once",
    permission: "outputs:share",
    extension: true,
    byClick: true,
    answers: { 200: Deleted },
  },
} as const satisfies Routes;

const file = bytesOf("*/*", "The file's bytes");

/**
 * The public routes of the links. The token in the path is the credential; gated outputs also need a
 * signed-in person.
 */
export const sharedRoutes = {
  "GET /shared/{token}": {
    summary: "Open a link",
    public: true,
    limitedByAddress: true,
    extension: true,
    answers: { 200: Shared },
  },
  "GET /shared/{token}/files/{number}": {
    summary: "Download a file of a link by its number, counted from 1",
    public: true,
    limitedByAddress: true,
    extension: true,
    fromBrowser: true,
    otherAnswers: { 200: file, 206: file, 416: noBody("The range is outside the file") },
  },
} as const satisfies Routes;
