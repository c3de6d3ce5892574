import { budgetPeriods } from "#contract/money/budget-constants.ts";
import type { BudgetInputs, BudgetPeriod, BudgetState } from "#contract/money/budgets.ts";

/** Hard and soft amounts by period, as they are filled in; an empty text is none. */
export type MoneyValues = Record<"hard" | "soft", Record<BudgetPeriod, string>>;

export const periodLabels: Readonly<Record<BudgetPeriod, string>> = {
  day: "Per day",
  week: "Per week",
  month: "Per month",
  total: "In all",
};

/** The names of the fields in a form that has them as `money`. */
export const moneyFieldNames = (["hard", "soft"] as const).flatMap((kind) =>
  budgetPeriods.map((period) => `money.${kind}.${period}` as const),
);

/** The fields for budgets in money, or for none. */
export function moneyValues(
  budgets: readonly Pick<BudgetState, "amount" | "period" | "hard">[],
): MoneyValues {
  const of = (hard: boolean) =>
    Object.fromEntries(
      budgetPeriods.map((period) => [
        period,
        budgets.find((budget) => budget.period === period && budget.hard === hard)?.amount ?? "",
      ]),
    ) as Record<BudgetPeriod, string>;
  return { hard: of(true), soft: of(false) };
}

/** The gateway's budgets for what was filled in. */
export function moneyBody(values: MoneyValues): BudgetInputs {
  return (["hard", "soft"] as const).flatMap((kind) =>
    budgetPeriods.flatMap((period) => {
      const amount = values[kind][period].trim();
      return amount === "" ? [] : { amount, period, hard: kind === "hard" };
    }),
  );
}

/** What to say of a text that is no amount; undefined when it is fine. */
export function moneyProblem(text: string): string | undefined {
  const amount = text.trim();
  if (amount === "") return undefined;
  return /^\d{1,18}(\.\d{1,12})?$/.test(amount) && /[1-9]/.test(amount)
    ? undefined
    : "Enter an amount above 0, such as 25 or 0.50, or leave this empty.";
}
