import { type Static, Type } from "typebox";
import { aliasFields, aliasLimits, goOnReasons } from "./alias-constants.ts";
import { closed, Deleted, NoQuery, Timestamp } from "./list.ts";
import type { Routes } from "./routes/route.ts";

const AliasName = Type.String({
  ...aliasFields.name,
  description: "the name that requests send as `model`",
  examples: ["gpt-5"],
});

const AliasModels = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
  minItems: 1,
  maxItems: aliasLimits.models,
  uniqueItems: true,
  description: "ids of models in the catalog, in the order in which they are tried",
});

const GoOnWhen = Type.Array(Type.Enum(goOnReasons), {
  uniqueItems: true,
  description:
    "reasons to try the next model; all of them by default. `failed` and `slow` apply only to text: chats, embeddings, rankings",
});

const ContinueStreams = Type.Boolean({
  description:
    "true: a stream that breaks after its first content is continued by the next model that accepts a prefilled answer. Default: false",
});

export const Alias = Type.Object({
  id: Type.String(),
  object: Type.Literal("alias"),
  name: AliasName,
  models: AliasModels,
  go_on_when: GoOnWhen,
  continue_streams: ContinueStreams,
  for_everyone: Type.Boolean({
    description:
      "true when an operator made this alias for all accounts. An account's alias of the same name is used instead",
  }),
  unavailable: Type.Array(Type.String(), {
    description: "models of the alias that this account cannot use; they are skipped",
  }),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Alias = Static<typeof Alias>;

export const AliasCreate = Type.Object(
  {
    name: AliasName,
    models: AliasModels,
    go_on_when: Type.Optional(GoOnWhen),
    continue_streams: Type.Optional(ContinueStreams),
    for_everyone: Type.Optional(
      Type.Boolean({ description: "make the alias for all accounts; only for operators" }),
    ),
  },
  closed,
);
export type AliasCreate = Static<typeof AliasCreate>;

export const AliasUpdate = Type.Object(
  {
    name: Type.Optional(AliasName),
    models: Type.Optional(AliasModels),
    go_on_when: Type.Optional(GoOnWhen),
    continue_streams: Type.Optional(ContinueStreams),
  },
  closed,
);
export type AliasUpdate = Static<typeof AliasUpdate>;

export const AliasList = Type.Object({ object: Type.Literal("list"), data: Type.Array(Alias) });
export type AliasList = Static<typeof AliasList>;

export const aliasRoutes = {
  "GET /aliases": {
    summary: "List aliases",
    permission: "aliases:read",
    extension: true,
    query: NoQuery,
    answers: { 200: AliasList },
  },
  "POST /aliases": {
    summary: "Create an alias for an ordered list of models",
    permission: "aliases:manage",
    extension: true,
    idempotent: true,
    byClick: true,
    body: AliasCreate,
    answers: { 201: Alias },
  },
  "PATCH /aliases/{id}": {
    summary: "Change an alias",
    permission: "aliases:manage",
    extension: true,
    byClick: true,
    body: AliasUpdate,
    answers: { 200: Alias },
  },
  "DELETE /aliases/{id}": {
    summary: "Delete an alias",
    permission: "aliases:manage",
    extension: true,
    byClick: true,
    answers: { 200: Deleted },
  },
} as const satisfies Routes;
