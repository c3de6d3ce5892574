import { type Static, Type } from "typebox";
import { closed } from "./list.ts";
import { Nullable, Timestamp } from "./nullable.ts";
import { described, type FoundKind, inPlace } from "./resources.ts";
import { foundLimit } from "./search-constants.ts";
import { searchLimits } from "./search-words.ts";

export * from "./search-constants.ts";
export type { FoundKind };

/** What a search finds, in the order in which it is shown. */
export const foundKinds = inPlace(
  described().filter(([, { found }]) => found !== undefined),
  ([, { found }]) => found,
).map(([kind]) => kind) as FoundKind[];

export const Found = Type.Object({
  id: Type.String(),
  kind: Type.Enum(foundKinds),
  name: Type.String({
    description: "what people call it; of a prediction its prompt, where a word was found",
  }),
  about: Nullable(Type.String({ description: "what else tells it apart: an address, a model" })),
  state: Nullable(
    Type.String({
      description:
        "how it is, or what happened to it last: `delivered`, `failing`, `succeeded`, `used`, `revoked`, a member's role",
    }),
  ),
  at: Nullable(Type.String({ ...Timestamp, description: "since when, or when that was" })),
});
export type Found = Static<typeof Found>;

export const SearchQuery = Type.Object(
  {
    q: Type.String({
      maxLength: searchLimits.length,
      description:
        "words in any order, without case, each a part of a name, a description or an id; or `key=value`: predictions with this pair in their metadata, and their deliveries",
    }),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: foundLimit.max,
        default: foundLimit.default,
        description: "of each group",
      }),
    ),
  },
  closed,
);
export type SearchQuery = Static<typeof SearchQuery>;

export const SearchAnswer = Type.Object({
  object: Type.Literal("search"),
  groups: Type.Array(
    Type.Object({
      kind: Type.Enum(foundKinds),
      data: Type.Array(Found),
      has_more: Type.Boolean(),
    }),
    { description: "only of what the caller may read, and where something was found" },
  ),
  partial: Type.Array(Type.Enum(foundKinds), {
    description: "groups that took too long and are not in this answer",
  }),
});
export type SearchAnswer = Static<typeof SearchAnswer>;
