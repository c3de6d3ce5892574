import { type Static, Type } from "typebox";
import { closed } from "../list.ts";
import { BudgetInputs, BudgetState } from "../money/budgets.ts";
import { Nullable, Timestamp } from "../nullable.ts";
import { MonthlyBudget, Quantities } from "./keys.ts";
import { Person } from "./people.ts";
import { roles } from "./roles.ts";

export const memberSignInWays = ["password", "passkey", "provider"] as const;
export type MemberSignInWay = (typeof memberSignInWays)[number];

export const Member = Type.Object({
  id: Type.String({ description: "the user's id" }),
  object: Type.Literal("member"),
  user_id: Type.String(),
  name: Type.String(),
  email: Nullable(Type.String({ description: "null for those who may not manage members" })),
  role: Type.Enum(roles),
  monthly_budget: Nullable(MonthlyBudget),
  used_this_month: Quantities,
  budgets: Type.Array(BudgetState, { description: "in money, with what is spent in their current periods" }),
  /** Service keys that run gated operations with this member's attestations. */
  answers_for: Type.Array(Person, { description: "the service keys that the member is responsible for" }),
  /** Null for callers who may not manage members. */
  sign_in: Nullable(
    Type.Object({
      ways: Type.Array(Type.Enum(memberSignInWays), { description: "how they can sign in" }),
      has_second_factor: Type.Boolean(),
    }),
  ),
  has_other_accounts: Nullable(
    Type.Boolean({ description: "their sessions and password are theirs alone; null as `sign_in`" }),
  ),
  last_seen_at: Nullable(
    Type.String({ ...Timestamp, description: "null also for those who have other accounts" }),
  ),
  since: Timestamp,
});
export type Member = Static<typeof Member>;

export const MemberList = Type.Object({ object: Type.Literal("list"), data: Type.Array(Member) });
export type MemberList = Static<typeof MemberList>;

/**
 * At least one field. Budgets cover the member's sessions and personal keys together; null or an empty list
 * removes them.
 */
export const MemberUpdate = Type.Object(
  {
    role: Type.Optional(Type.Enum(roles)),
    monthly_budget: Type.Optional(Nullable(MonthlyBudget)),
    budgets: Type.Optional(BudgetInputs),
  },
  { ...closed, minProperties: 1 },
);
export type MemberUpdate = Static<typeof MemberUpdate>;
