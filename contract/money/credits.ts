import { type Static, Type } from "typebox";
import { closed, ListOf } from "../list.ts";
import { Nullable, Timestamp } from "../nullable.ts";
import { BudgetInputs, BudgetState, TaskBudget, TaskBudgetInput } from "./budgets.ts";
import { creditFields } from "./constants.ts";
import { Amount, Currency } from "./cost.ts";

/** The balance of a prepaid account. */
export const Prepaid = Type.Object({
  balance: Type.String({
    description: "credit that is left; negative when a run cost more than its maximum",
  }),
  reserved: Type.String({
    description: "part of the balance reserved for the maximum cost of runs that have not ended",
  }),
  currency: Currency,
});
export type Prepaid = Static<typeof Prepaid>;

export const AccountBudgets = Type.Object({
  object: Type.Literal("account.budgets"),
  budgets: Type.Array(BudgetState),
  task_budget: Nullable(TaskBudget),
  prepaid: Nullable(
    Type.Interface(
      [Prepaid],
      {},
      { description: "also null for callers who may not read the account's usage" },
    ),
  ),
  currency: Type.String({ description: "currency of this installation" }),
});
export type AccountBudgets = Static<typeof AccountBudgets>;

/**
 * A request needs at least one field. An empty list of `budgets` removes all budgets, `task_budget: null`
 * removes the cap per task.
 */
export const AccountBudgetsUpdate = Type.Object(
  {
    budgets: Type.Optional(BudgetInputs),
    task_budget: Type.Optional(Nullable(TaskBudgetInput)),
  },
  { ...closed, minProperties: 1 },
);
export type AccountBudgetsUpdate = Static<typeof AccountBudgetsUpdate>;

/**
 * A credit for an account. The first credit makes the account prepaid: from then on, its credit must cover
 * each run.
 */
export const CreditCreate = Type.Object(
  {
    amount: Type.String({ ...Amount, description: "amount to add; a negative amount is subtracted" }),
    currency: Type.Optional(Currency),
    note: Type.String({
      ...creditFields.note,
      description: "reason, such as an invoice number; members of the account see it",
    }),
  },
  closed,
);
export type CreditCreate = Static<typeof CreditCreate>;

export const Credit = Type.Object({
  id: Type.String({ description: "`crd_…`" }),
  object: Type.Literal("credit"),
  amount: Amount,
  currency: Currency,
  note: Type.String(),
  added_by: Nullable(
    Type.Object(
      { id: Type.String(), name: Nullable(Type.String()) },
      { description: "operator or key that added the credit; null: the command line" },
    ),
  ),
  balance_after: Nullable(
    Type.String({
      ...Amount,
      description:
        "the account's balance including this credit, at the time it was added; null: release 0.3 added it",
    }),
  ),
  created_at: Timestamp,
});
export type Credit = Static<typeof Credit>;

export const CreditList = ListOf(Credit);
export type CreditList = Static<typeof CreditList>;

/** For operators: the credits of an account, newest first, and the balance. */
export const OperatorCreditList = Type.Interface([CreditList], { prepaid: Nullable(Prepaid) });
export type OperatorCreditList = Static<typeof OperatorCreditList>;

/** The answer to an added credit. */
export const CreditAdded = Type.Interface([Credit], { prepaid: Nullable(Prepaid) });
export type CreditAdded = Static<typeof CreditAdded>;
