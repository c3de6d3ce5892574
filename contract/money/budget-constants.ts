/** The constants of budgets. They are apart from the schemas because pages do not need the schemas. */

export const budgetPeriods = ["day", "week", "month", "total"] as const;
export type BudgetPeriod = (typeof budgetPeriods)[number];

/** The owners of budgets. */
export const budgetHolders = ["account", "member", "key", "batch"] as const;
export type BudgetHolder = (typeof budgetHolders)[number];

/** Everything that has a balance, in the order in which the balances are locked. */
export const balanceHolders = [...budgetHolders, "task"] as const;
export type BalanceHolder = (typeof balanceHolders)[number];

/** Percentages of a budget at which an event is sent. */
export const budgetShares = [50, 80, 100] as const;
export type BudgetShare = (typeof budgetShares)[number];

/** Most budgets per owner: a hard and a soft one for each period. */
export const maxBudgets = 2 * budgetPeriods.length;

export const taskLimits = {
  /** Longest value of a capped metadata key, in characters. A longer value is refused. */
  valueLength: 200,
  /** Most values per cap that are tracked at a time. */
  values: 10_000,
  maxRuns: 1_000_000,
  /** A value is forgotten this long after its last run. */
  keptDays: 30,
} as const;

/** The runs of a task, for the schemas and the forms. */
export const taskRuns = { minimum: 1, maximum: taskLimits.maxRuns } as const;
