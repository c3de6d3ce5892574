import { type Static, Type } from "typebox";
import { accountLimitFields as bounds } from "../accounts/constants.ts";
import { AccountLimits } from "../accounts/limits.ts";
import { closed, Deleted, NoQuery, Timestamp } from "../list.ts";
import type { Routes } from "../routes/route.ts";

/** At most this many plans. */
export const maxPlans = 100;

/** Limits under a name, for the accounts that operators give it to. An account's own limits come first. */
export const LimitPlan = Type.Object({
  id: Type.String(),
  object: Type.Literal("operator.plan"),
  name: Type.String(),
  limits: Type.Interface([AccountLimits], {}, { description: "null: the limit of the installation" }),
  accounts: Type.Integer({ description: "how many accounts have the plan" }),
  created_at: Timestamp,
});
export type LimitPlan = Static<typeof LimitPlan>;

/** Sorted by name. */
export const LimitPlanList = Type.Object({ object: Type.Literal("list"), data: Type.Array(LimitPlan) });
export type LimitPlanList = Static<typeof LimitPlanList>;

const name = Type.String({
  ...bounds.plan_name,
  description: "no other plan has it, in any case of letters",
});
const limits = Type.Partial(AccountLimits).properties;

/** A limit that is missing or null is that of the installation. */
export const LimitPlanCreate = Type.Object({ name, ...limits }, closed);
export type LimitPlanCreate = Static<typeof LimitPlanCreate>;

/** What is missing stays; null is the limit of the installation. */
export const LimitPlanUpdate = Type.Object(
  {
    name: Type.Optional(name),
    ...limits,
    reason: Type.String({
      ...bounds.reason,
      description: "why; members of the plan's accounts see it in the audit log",
    }),
  },
  { ...closed, minProperties: 2 },
);
export type LimitPlanUpdate = Static<typeof LimitPlanUpdate>;

export const operatorPlanRoutes = {
  "GET /operator/plans": {
    summary: "List the plans: limits under a name",
    operator: true,
    extension: true,
    query: NoQuery,
    answers: { 200: LimitPlanList },
  },
  "POST /operator/plans": {
    summary: "Make a plan",
    operator: true,
    extension: true,
    idempotent: true,
    byClick: true,
    body: LimitPlanCreate,
    answers: { 201: LimitPlan },
  },
  "PATCH /operator/plans/{id}": {
    summary: "Change a plan, and so the limits of its accounts",
    operator: true,
    extension: true,
    byClick: true,
    body: LimitPlanUpdate,
    answers: { 200: LimitPlan },
  },
  "DELETE /operator/plans/{id}": {
    summary: "Delete a plan that no account has",
    operator: true,
    extension: true,
    byClick: true,
    answers: { 200: Deleted },
  },
} as const satisfies Routes;
