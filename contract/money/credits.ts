import { type Static, Type } from "typebox";
import { closed, ListOf } from "../list.ts";
import { Nullable, Timestamp } from "../nullable.ts";
import { BudgetInputs, BudgetState, TaskBudget, TaskBudgetInput } from "./budgets.ts";
import { Amount, Currency } from "./cost.ts";

/** The balance of a prepaid account. */
export const Prepaid = Type.Object({
  balance: Type.String({
    description: "credit that is not spent; negative where a run cost more than its maximum",
  }),
  reserved: Type.String({ description: "of it, what runs that have not ended may cost at most" }),
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
      { description: "null as well for those who do not see the account's usage" },
    ),
  ),
  currency: Type.String({ description: "in which this installation counts" }),
});
export type AccountBudgets = Static<typeof AccountBudgets>;

/** At least one field. An empty list of `budgets` removes all, `task_budget: null` the cap per task. */
export const AccountBudgetsUpdate = Type.Object(
  {
    budgets: Type.Optional(BudgetInputs),
    task_budget: Type.Optional(Nullable(TaskBudgetInput)),
  },
  { ...closed, minProperties: 1 },
);
export type AccountBudgetsUpdate = Static<typeof AccountBudgetsUpdate>;

/** Texts of a credit, for its schema and its form. */
export const creditFields = { note: { minLength: 1, maxLength: 500, pattern: "\\S" } } as const;

/** The first credit makes the account prepaid: from then on its credit must cover each run. */
export const CreditCreate = Type.Object(
  {
    amount: Type.String({ ...Amount, description: "negative: it is taken off" }),
    currency: Type.Optional(Currency),
    note: Type.String({
      ...creditFields.note,
      description: "why, such as a number of an invoice; the account sees it",
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
      { description: "the operator or the key; null: the command line" },
    ),
  ),
  balance_after: Nullable(
    Type.String({
      ...Amount,
      description: "the account's balance when this credit was added, with it; null: release 0.3 added it",
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

/** The answer to a new credit. */
export const CreditAdded = Type.Interface([Credit], { prepaid: Nullable(Prepaid) });
export type CreditAdded = Static<typeof CreditAdded>;
