import { type Static, Type } from "typebox";
import { TokenRateInputs, TokenRates } from "../accounts/token-rates.ts";
import { closed, Deleted, ListOf, NoQuery, Nullable, PageQuery, Timestamp } from "../list.ts";
import { metadataLimits } from "../metadata.ts";
import type { Routes } from "../routes/route.ts";
import {
  budgetHolders,
  budgetPeriods,
  budgetShares,
  maxBudgets,
  taskLimits,
  taskRuns,
} from "./budget-constants.ts";
import { creditFields } from "./constants.ts";
import { Amount, Currency, PositiveAmount } from "./cost.ts";

export * from "./budget-constants.ts";

/** Money that may be spent in each period (UTC; weeks start on Monday), or in total. */
export const Budget = Type.Object(
  {
    amount: PositiveAmount,
    currency: Currency,
    period: Type.Enum(budgetPeriods),
    hard: Type.Boolean({
      description: "true: runs that exceed the budget are refused; false: the budget only sends events",
    }),
  },
  { additionalProperties: false },
);
export type Budget = Static<typeof Budget>;

export type Budgets = Budget[];

/** A budget in a request. The currency is always the installation's and may be left out. */
const BudgetInput = Type.Object(
  { ...Budget.properties, currency: Type.Optional(Currency) },
  { additionalProperties: false },
);

/** At most one hard and one soft budget for each period. An empty list removes all budgets. */
export const BudgetInputs = Type.Array(BudgetInput, { maxItems: maxBudgets });
export type BudgetInputs = Static<typeof BudgetInputs>;

/** A budget of a batch, which has only one period: the life of the batch. */
export const TotalBudgets = Type.Array(
  Type.Object({ ...BudgetInput.properties, period: Type.Literal("total") }, { additionalProperties: false }),
  { maxItems: 2 },
);

const MaxRuns = Type.Integer(taskRuns);

const taskKey = Type.String({
  minLength: 1,
  maxLength: metadataLimits.keyLength,
  description: "the metadata key whose values are tasks; a run without this key is refused",
});

/** A hard limit for each value of a metadata key: in money, in number of runs, or both. */
export const TaskBudget = Type.Object({
  metadata_key: taskKey,
  amount: Nullable(PositiveAmount),
  currency: Currency,
  max_runs: Nullable(MaxRuns),
});
export type TaskBudget = Static<typeof TaskBudget>;

/** At least one of `amount` and `max_runs`. */
export const TaskBudgetInput = Type.Object(
  {
    metadata_key: taskKey,
    amount: Type.Optional(Nullable(PositiveAmount)),
    currency: Type.Optional(Currency),
    max_runs: Type.Optional(Nullable(MaxRuns)),
  },
  { additionalProperties: false },
);
export type TaskBudgetInput = Static<typeof TaskBudgetInput>;

/** A budget and its state in the current period. */
export const BudgetState = Type.Object({
  ...Budget.properties,
  spent: Amount,
  reserved: Type.String({ description: "maximum cost of the runs that have not ended" }),
  left: Type.String({
    description: "the amount minus spent and reserved money; negative when more was spent",
  }),
  resets_at: Nullable(Timestamp),
});
export type BudgetState = Static<typeof BudgetState>;

/** `data.object` of the event `budget.threshold`. */
export const BudgetThreshold = Type.Object({
  object: Type.Literal("budget.threshold"),
  share: Type.Enum(budgetShares, { description: "percentage of the amount that is spent" }),
  holder: Type.Object({
    type: Type.Enum(budgetHolders),
    id: Type.String(),
    name: Nullable(Type.String()),
  }),
  ...Budget.properties,
  spent: Amount,
  period_start: Nullable(Timestamp),
  resets_at: Nullable(Timestamp),
});
export type BudgetThreshold = Static<typeof BudgetThreshold>;

/** A task: one value of the metadata key that an account or a key caps. */
export const Task = Type.Object({
  id: Type.String(),
  object: Type.Literal("task"),
  holder: Type.Object(
    { type: Type.Enum(["account", "key"]), id: Type.String(), name: Type.String() },
    { description: "the account or key that sets the cap" },
  ),
  metadata_key: Type.String(),
  value: Type.String(),
  amount: Nullable(Amount),
  currency: Currency,
  max_runs: Nullable(Type.Integer()),
  raised: Type.Boolean({ description: "true when the task's limits differ from the cap's" }),
  spent: Amount,
  reserved: Type.String({ description: "maximum cost of the runs that have not ended" }),
  runs: Type.Integer({ description: "number of runs that used something or have not ended" }),
  ended_at: Nullable(Timestamp),
  last_run_at: Nullable(Timestamp),
  created_at: Timestamp,
});
export type Task = Static<typeof Task>;

export const TaskList = ListOf(Task);

export const TaskQuery = Type.Interface(
  [PageQuery],
  {
    holder: Type.Optional(Type.String({ description: "Only tasks that this account or key caps" })),
    value: Type.Optional(
      Type.String({ maxLength: taskLimits.valueLength, description: "Only the task with this value" }),
    ),
  },
  closed,
);
export type TaskQuery = Static<typeof TaskQuery>;

/** A request needs at least one field. A limit is never lowered, so a repeated request changes nothing. */
export const TaskRaise = Type.Object(
  {
    amount: Type.Optional(PositiveAmount),
    max_runs: Type.Optional(Type.Integer(taskRuns)),
  },
  { ...closed, minProperties: 1 },
);
export type TaskRaise = Static<typeof TaskRaise>;

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
  ...TokenRates,
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
    ...TokenRateInputs,
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

export const budgetRoutes = {
  "GET /account/budgets": {
    summary: "Read the account's budgets in money, its tokens per minute and its remaining credit",
    permission: "usage:own",
    extension: true,
    fromBrowser: true,
    query: NoQuery,
    answers: { 200: AccountBudgets },
  },
  "PATCH /account/budgets": {
    summary: "Change the account's budgets in money and its tokens per minute",
    permission: "budgets:manage",
    extension: true,
    byClick: true,
    body: AccountBudgetsUpdate,
    answers: { 200: AccountBudgets },
  },
  "GET /account/credits": {
    summary: "List the credits of a prepaid account",
    permission: "usage:read",
    extension: true,
    query: PageQuery,
    answers: { 200: CreditList },
  },
} as const satisfies Routes;

/** Tasks: the values of a capped metadata key. */
export const taskRoutes = {
  "GET /tasks": {
    summary: "List tasks (values of a capped metadata key) with what they spent",
    permission: "usage:own",
    extension: true,
    fromBrowser: true,
    query: TaskQuery,
    answers: { 200: TaskList },
  },
  "GET /tasks/{id}": {
    summary: "Read a task",
    permission: "usage:own",
    extension: true,
    fromBrowser: true,
    answers: { 200: Task },
  },
  "POST /tasks/{id}/raise": {
    summary: "Raise the limits of one task, and reopen it if it was ended",
    permission: "keys:own",
    extension: true,
    byClick: true,
    body: TaskRaise,
    answers: { 200: Task },
  },
  "POST /tasks/{id}/end": {
    summary: "End a task: its further runs are refused",
    permission: "keys:own",
    extension: true,
    byClick: true,
    answers: { 200: Task },
  },
} as const satisfies Routes;

export const operatorCreditRoutes = {
  "GET /operator/accounts/{id}/credits": {
    summary: "List the credits of an account, and its balance",
    operator: true,
    extension: true,
    query: PageQuery,
    answers: { 200: OperatorCreditList },
  },
  "POST /operator/accounts/{id}/credits": {
    summary: "Add credit to an account, which makes it prepaid",
    operator: true,
    extension: true,
    idempotent: true,
    byClick: true,
    body: CreditCreate,
    answers: { 201: CreditAdded },
  },
  "DELETE /operator/accounts/{id}/credits": {
    summary: "End the prepayment of an account: its runs no longer need credit",
    operator: true,
    extension: true,
    byClick: true,
    answers: { 200: Deleted },
  },
} as const satisfies Routes;
