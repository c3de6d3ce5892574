import { type Static, Type } from "typebox";
import { aliasFields, aliasLimits, goOnReasons } from "./catalog-constants.ts";
import { closed } from "./list.ts";
import { Timestamp } from "./nullable.ts";

const AliasName = Type.String({
  ...aliasFields.name,
  description: "the name that requests send as `model`, e.g. `gpt-5`",
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
