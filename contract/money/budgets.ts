import { type Static, Type } from "typebox";
import { metadataLimits } from "../metadata.ts";
import { Nullable, Timestamp } from "../nullable.ts";
import { budgetHolders, budgetPeriods, budgetShares, maxBudgets, taskRuns } from "./budget-constants.ts";
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
