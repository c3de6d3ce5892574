import { type Static, Type } from "typebox";
import { closed } from "../list.ts";
import type { Routes } from "../routes/route.ts";
import { searchLimits } from "../search-words.ts";

export const OperatorAccountQuery = Type.Object(
  {
    q: Type.Optional(
      Type.String({
        maxLength: searchLimits.length,
        description: "a part of the account's name, or the whole id",
      }),
    ),
    ids: Type.Optional(
      Type.String({
        maxLength: 40_000,
        description: "ids with commas between them: the answer has exactly these accounts",
      }),
    ),
  },
  closed,
);
export type OperatorAccountQuery = Static<typeof OperatorAccountQuery>;

/** An account in the operators' list, without its content. */
export const OperatorAccount = Type.Object({
  id: Type.String(),
  object: Type.Literal("operator.account"),
  name: Type.String(),
});
export type OperatorAccount = Static<typeof OperatorAccount>;

/** Sorted by name. */
export const OperatorAccountList = Type.Object({
  object: Type.Literal("list"),
  data: Type.Array(OperatorAccount),
  has_more: Type.Boolean({ description: "true when more accounts match: search for a longer text" }),
});
export type OperatorAccountList = Static<typeof OperatorAccountList>;

export const operatorAccountRoutes = {
  "GET /operator/accounts": {
    summary: "Find accounts by name, to choose which may use a model",
    operator: true,
    extension: true,
    fromBrowser: true,
    query: OperatorAccountQuery,
    answers: { 200: OperatorAccountList },
  },
} as const satisfies Routes;
