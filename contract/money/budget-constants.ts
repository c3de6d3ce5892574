/** The constants of budgets, without their schemas, which pages do not need. */

export const budgetPeriods = ["day", "week", "month", "total"] as const;
export type BudgetPeriod = (typeof budgetPeriods)[number];

/** The scopes of budgets. */
export const budgetHolders = ["account", "member", "key", "batch"] as const;
export type BudgetHolder = (typeof budgetHolders)[number];

/** Whatever has a balance, in the order in which balances are locked. */
export const balanceHolders = [...budgetHolders, "task"] as const;
export type BalanceHolder = (typeof balanceHolders)[number];

/** Percent of a budget whose crossing is an event. */
export const budgetShares = [50, 80, 100] as const;
export type BudgetShare = (typeof budgetShares)[number];

/** A hard and a soft one for each period. */
export const maxBudgets = 2 * budgetPeriods.length;

export const taskLimits = {
  /** Characters of a value: a longer one is refused. */
  valueLength: 200,
  /** Values that are known at once for each cap. */
  values: 10_000,
  maxRuns: 1_000_000,
  /** A value is forgotten this long after its last run. */
  keptDays: 30,
} as const;
