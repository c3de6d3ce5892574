import { type Static, Type } from "typebox";
import { roles } from "./accounts/constants.ts";
import { batchStatuses } from "./batch-constants.ts";
import { closed, Nullable, Timestamp } from "./list.ts";
import { predictionStatuses } from "./prediction-constants.ts";
import type { ResourceName } from "./resources.ts";
import type { Routes } from "./routes/route.ts";
import { foundLimit, searchLimits } from "./search-words.ts";
import { uploadStatuses } from "./upload-constants.ts";
import { deliveryStatuses, endpointStatuses } from "./webhook-constants.ts";

/** The kinds of search results, in the order in which they are shown. */
export const foundKinds = [
  "endpoint",
  "preset",
  "conversation",
  "batch",
  "comparison",
  "key",
  "member",
  "alias",
  "destination",
  "upload",
  "model",
  "provider",
  "metadata",
  "prediction",
  "delivery",
] as const satisfies (ResourceName | "metadata")[];
export type FoundKind = (typeof foundKinds)[number];

/** Every state that a result can have. The console says each in the reader's language. */
export const foundStates = [
  ...predictionStatuses,
  ...deliveryStatuses,
  ...uploadStatuses,
  ...endpointStatuses,
  ...batchStatuses,
  ...roles,
  ...(["used", "unused", "revoked", "changed", "copied", "failing"] as const),
  ...(["active", "leaving", "unusable"] as const),
];
export type FoundState = (typeof foundStates)[number];

export const Found = Type.Object({
  id: Type.String({
    description: "id of the result; for `metadata`, a pair `key=value` of predictions or requests",
  }),
  kind: Type.Enum(foundKinds),
  name: Type.String({
    description: "name of the result; for a prediction, the part of its prompt that matches",
  }),
  about: Nullable(Type.String({ description: "a second line, such as an address or a model" })),
  state: Nullable(
    Type.String({
      description:
        "current state or last event: `delivered`, `failing`, `succeeded`, `used`, `revoked`, a member's role",
    }),
  ),
  at: Nullable(Type.String({ ...Timestamp, description: "time of the state or event" })),
});
export type Found = Static<typeof Found>;

export const SearchQuery = Type.Object(
  {
    q: Type.String({
      maxLength: searchLimits.length,
      description:
        "words in any order and case, each a part of a name, a description or an id; in double quotes: whole words. Or `key=value`: finds predictions with this pair in their metadata, and their deliveries",
    }),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: foundLimit.max,
        default: foundLimit.default,
        description: "most results per group",
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
    {
      description:
        "groups with results, of resources that the caller may read; results with the words as whole words come first",
    },
  ),
  partial: Type.Array(Type.Enum(foundKinds), {
    description: "groups that took too long, so this answer does not contain them",
  }),
});
export type SearchAnswer = Static<typeof SearchAnswer>;

/** Each group is searched only for callers who may read it. */
export const searchRoutes = {
  "GET /search": {
    summary: "Search the account's resources by words",
    extension: true,
    fromBrowser: true,
    query: SearchQuery,
    answers: { 200: SearchAnswer },
  },
} as const satisfies Routes;
