import { type Static, Type } from "typebox";
import { accountLimitFields, keyRates } from "../accounts/constants.ts";
import { OperatorKeyLimits } from "../accounts/keys.ts";
import { closed, NoQuery, Nullable } from "../list.ts";
import type { Routes } from "../routes/route.ts";

/** A key as operators see it: whose it is, and what limits it. */
export const OperatorKey = Type.Object({
  id: Type.String(),
  object: Type.Literal("operator.key"),
  name: Type.String(),
  account_id: Type.String(),
  account_name: Type.String(),
  requests_per_minute: Type.Integer({ description: "its own limit, or that of the installation" }),
  max_concurrency: Type.Integer({ description: "its own limit, or that of the installation" }),
  operator_limits: Nullable(OperatorKeyLimits),
});
export type OperatorKey = Static<typeof OperatorKey>;

/** Null, or missing: no limit by an operator. */
export const OperatorKeyLimitsUpdate = Type.Object(
  {
    requests_per_minute: Type.Optional(Nullable(Type.Integer(keyRates.requests_per_minute))),
    max_concurrency: Type.Optional(Nullable(Type.Integer(keyRates.max_concurrency))),
    reason: Type.String({
      ...accountLimitFields.reason,
      description: "why; members of the account see it with the key and in the audit log",
    }),
  },
  closed,
);
export type OperatorKeyLimitsUpdate = Static<typeof OperatorKeyLimitsUpdate>;

export const operatorKeyRoutes = {
  "GET /operator/keys/{id}": {
    summary: "Read whose a key is, and what limits it",
    operator: true,
    extension: true,
    fromBrowser: true,
    query: NoQuery,
    answers: { 200: OperatorKey },
  },
  "PUT /operator/keys/{id}/limits": {
    summary: "Limit a key of an account",
    operator: true,
    extension: true,
    byClick: true,
    body: OperatorKeyLimitsUpdate,
    answers: { 200: OperatorKey },
  },
} as const satisfies Routes;
