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
  email: Nullable(Type.String({ description: "null when the caller may not manage members" })),
  role: Type.Enum(roles),
  monthly_budget: Nullable(MonthlyBudget),
  used_this_month: Quantities,
  budgets: Type.Array(BudgetState, {
    description: "budgets in money, each with the amount spent in its current period",
  }),
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
    Type.Boolean({
      description:
        "true when the person also belongs to other accounts; then nobody in this account may end their sessions or reset their password. Null when `sign_in` is null",
    }),
  ),
  last_seen_at: Nullable(
    Type.String({ ...Timestamp, description: "also null for a person who belongs to other accounts" }),
  ),
  since: Timestamp,
});
export type Member = Static<typeof Member>;

export const MemberList = Type.Object({ object: Type.Literal("list"), data: Type.Array(Member) });
export type MemberList = Static<typeof MemberList>;

/**
 * A request needs at least one field. The budgets cover the member's sessions and personal keys together.
 * Null or an empty list removes them.
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
