import { type Static, Type } from "typebox";
import { metadataLimits } from "../metadata.ts";
import { Nullable, Timestamp } from "../nullable.ts";
import { budgetHolders, budgetPeriods, budgetShares, maxBudgets, taskLimits } from "./budget-constants.ts";
import { Amount, Currency, PositiveAmount } from "./cost.ts";

export * from "./budget-constants.ts";

/** Money that may be spent in each period (UTC; weeks begin on Monday), or in all. */
export const Budget = Type.Object(
  {
    amount: PositiveAmount,
    currency: Currency,
    period: Type.Enum(budgetPeriods),
    hard: Type.Boolean({ description: "true: what exceeds it is refused; false: it only tells" }),
  },
  { additionalProperties: false },
);
export type Budget = Static<typeof Budget>;

export type Budgets = Budget[];

/** A budget in a request: always in the installation's currency, which may be left out. */
const BudgetInput = Type.Object(
  { ...Budget.properties, currency: Type.Optional(Currency) },
  { additionalProperties: false },
);

/** At most one hard and one soft budget for each period. None removes all. */
export const BudgetInputs = Type.Array(BudgetInput, { maxItems: maxBudgets });
export type BudgetInputs = Static<typeof BudgetInputs>;

/** A budget for a thing with only one period, its whole life. */
export const TotalBudgets = Type.Array(
  Type.Object({ ...BudgetInput.properties, period: Type.Literal("total") }, { additionalProperties: false }),
  { maxItems: 2 },
);

const MaxRuns = Type.Integer({ minimum: 1, maximum: taskLimits.maxRuns });
const taskKey = Type.String({
  minLength: 1,
  maxLength: metadataLimits.keyLength,
  description: "the metadata key whose values are tasks; a run without it is refused",
});

/** A hard limit for each value of a metadata key, in money, in runs, or in both. */
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
  reserved: Type.String({ description: "what runs that have not ended may cost at most" }),
  left: Type.String({ description: "the amount without both; negative where more was spent" }),
  resets_at: Nullable(Timestamp),
});
export type BudgetState = Static<typeof BudgetState>;

/** `data.object` of the event `budget.threshold`. */
export const BudgetThreshold = Type.Object({
  object: Type.Literal("budget.threshold"),
  share: Type.Enum(budgetShares, { description: "percent of the amount that are spent" }),
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
