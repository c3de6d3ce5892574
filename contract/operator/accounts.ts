import { type Static, Type } from "typebox";
import { AccountLimits, AccountLimitsUpdate } from "../accounts/limits.ts";
import { closed, NoQuery, Nullable, Timestamp } from "../list.ts";
import type { Routes } from "../routes/route.ts";
import { searchLimits } from "../search-words.ts";
import { AccountSuspension } from "./account-state.ts";

export const OperatorAccountQuery = Type.Object(
  {
    q: Type.Optional(
      Type.String({
        maxLength: searchLimits.length,
        description: "a part of the account's name, or the whole id",
      }),
    ),
    plan_id: Type.Optional(Type.String({ maxLength: 60, description: "only accounts with this plan" })),
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

/** `deletion_scheduled`: until `deletion_due_at` an owner can undo it. */
const accountStates = ["active", "suspended", "deletion_scheduled", "being_deleted"] as const;

const OperatorAccount = Type.Object({
  id: Type.String(),
  object: Type.Literal("operator.account"),
  name: Type.String(),
  state: Type.Enum(accountStates),
  created_at: Timestamp,
  members: Type.Integer(),
});
export type OperatorAccount = Static<typeof OperatorAccount>;

/** An account in the operators' list, without its content. */
const OperatorAccountRow = Type.Interface([OperatorAccount], {
  plan: Nullable(Type.Object({ id: Type.String(), name: Type.String() })),
});

/** What operators see of an account. None of it is the account's contents. */
export const OperatorAccountDetail = Type.Interface([OperatorAccount], {
  suspension: Nullable(AccountSuspension),
  deletion_due_at: Nullable(Timestamp),
  keys: Type.Integer({ description: "active keys" }),
  stored_bytes: Type.Integer({ description: "size of its files that are stored now" }),
  limits: Type.Interface(
    [AccountLimits],
    {},
    { description: "what operators set for this account; null: as in its plan, or for all accounts" },
  ),
  plan: Nullable(
    Type.Object({ id: Type.String(), name: Type.String(), limits: Type.Interface([AccountLimits], {}) }),
  ),
  usual_limits: Type.Interface(
    [AccountLimits],
    {},
    { description: "what the settings of the installation say; null: no limit" },
  ),
});
export type OperatorAccountDetail = Static<typeof OperatorAccountDetail>;

/** Sorted by name. */
export const OperatorAccountList = Type.Object({
  object: Type.Literal("list"),
  data: Type.Array(OperatorAccountRow),
  has_more: Type.Boolean({ description: "true when more accounts match: search for a longer text" }),
});
export type OperatorAccountList = Static<typeof OperatorAccountList>;

export const operatorAccountRoutes = {
  "GET /operator/accounts": {
    summary: "Find accounts by name or id",
    operator: true,
    extension: true,
    fromBrowser: true,
    query: OperatorAccountQuery,
    answers: { 200: OperatorAccountList },
  },
  "GET /operator/accounts/{id}": {
    summary: "Read the state and the limits of an account",
    operator: true,
    extension: true,
    query: NoQuery,
    answers: { 200: OperatorAccountDetail },
  },
  "PATCH /operator/accounts/{id}/limits": {
    summary: "Change what limits one account",
    operator: true,
    extension: true,
    byClick: true,
    body: AccountLimitsUpdate,
    answers: { 200: OperatorAccountDetail },
  },
} as const satisfies Routes;
