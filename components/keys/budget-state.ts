import type { MonthlyBudget, Quantities } from "#contract/accounts/keys.ts";
import { billingUnits } from "#contract/catalog-constants.ts";
import type { BudgetState as MoneyBudget, TaskBudget } from "#contract/money/budgets.ts";
import { formatCount, formatNumber } from "@/lib/format";

/** Above this share, a budget is nearly spent. */
const nearShare = 0.8;

/** A key, or a member. */
export interface BudgetHolder {
  /** Of a key. */
  id?: string;
  name: string;
  monthly_budget: MonthlyBudget | null;
  used_this_month: Quantities;
  /** Budgets in money. */
  budgets?: readonly MoneyBudget[];
  /** Missing for members. */
  task_budget?: TaskBudget | null;
}

export interface BudgetState {
  unit: string;
  /** `1,204 of 10,000 tokens this month`. */
  text: string;
  /** 0..1, even if the budget is overdrawn. */
  share: number;
  stage: "open" | "near" | "spent";
}

/** The state of each budget of a key or member, one per unit. */
export function budgetStates(
  holder: Pick<BudgetHolder, "monthly_budget" | "used_this_month">,
): BudgetState[] {
  return billingUnits.flatMap((unit) => {
    const budget = holder.monthly_budget?.[unit];
    if (budget === undefined) return [];
    const used = holder.used_this_month[unit] ?? 0;
    const share = Math.min(1, used / budget);
    const stage = share === 1 ? "spent" : share >= nearShare ? "near" : "open";
    return { unit, text: `${formatNumber(used)} of ${formatCount(budget, unit)} this month`, share, stage };
  });
}
