import type { AccountBudgets, BudgetPeriod } from "#contract/money/budgets.ts";
import { decimalOf, decimalText } from "#contract/money/decimal.ts";
import { formatMoney } from "../money.ts";

const ofBudget: Record<BudgetPeriod, string> = {
  day: "of today’s budget",
  week: "of this week’s budget",
  month: "of this month’s budget",
  total: "of the budget",
};

export interface BudgetLeft {
  /** `12.40 USD left of this month’s budget` */
  label: string;
  isSpent: boolean;
}

/**
 * The amount that the account can still spend before runs are refused, by its tightest limit. Null without a
 * limit.
 */
export function budgetLeft({ budgets, prepaid }: AccountBudgets): BudgetLeft | null {
  const limits = budgets
    .filter(({ hard }) => hard)
    .map(({ left, currency, period }) => ({ left: decimalOf(left), currency, of: ofBudget[period] }));
  if (prepaid)
    limits.push({
      left: decimalOf(prepaid.balance) - decimalOf(prepaid.reserved),
      currency: prepaid.currency,
      of: "of the prepaid credit",
    });
  const tightest = limits.toSorted((one, other) => (one.left < other.left ? -1 : 1))[0];
  if (!tightest) return null;
  const { left, currency, of } = tightest;
  return { label: `${formatMoney(decimalText(left), currency)} left ${of}`, isSpent: left <= 0n };
}
