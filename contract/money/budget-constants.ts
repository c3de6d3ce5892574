/** The constants of budgets, without their schemas, which pages do not need. */

export const budgetPeriods = ["day", "week", "month", "total"] as const;
export type BudgetPeriod = (typeof budgetPeriods)[number];

/** The scopes of budgets, in the order in which they are locked. */
export const budgetHolders = ["account", "member", "key", "batch"] as const;
export type BudgetHolder = (typeof budgetHolders)[number];

/** Percent of a budget whose crossing is an event. */
export const budgetShares = [50, 80, 100] as const;
export type BudgetShare = (typeof budgetShares)[number];

/** A hard and a soft one for each period. */
export const maxBudgets = 2 * budgetPeriods.length;
