import { budgetPeriods } from "#contract/money/budget-constants.ts";
import type { BudgetInputs, BudgetPeriod, BudgetState } from "#contract/money/budgets.ts";
import { parseDecimal } from "#contract/money/decimal.ts";
import { readAmount, typedAmount, unambiguous } from "@/lib/written-amount";
import type { Words } from "@/messages/words";

/** Hard and soft amounts by period, as typed. An empty text means none. */
export type MoneyValues = Record<"hard" | "soft", Record<BudgetPeriod, string>>;

/** The field names in a form with the field `money`. */
export const moneyFieldNames = (["hard", "soft"] as const).flatMap((kind) =>
  budgetPeriods.map((period) => `money.${kind}.${period}` as const),
);

/** The form's values for money budgets, or for none. */
export function moneyValues(
  budgets: readonly Pick<BudgetState, "amount" | "period" | "hard">[],
): MoneyValues {
  const of = (hard: boolean) =>
    Object.fromEntries(
      budgetPeriods.map((period) => [
        period,
        unambiguous(budgets.find((budget) => budget.period === period && budget.hard === hard)?.amount ?? ""),
      ]),
    ) as Record<BudgetPeriod, string>;
  return { hard: of(true), soft: of(false) };
}

/** The budgets for the form's values. */
export function moneyBody(values: MoneyValues): BudgetInputs {
  return (["hard", "soft"] as const).flatMap((kind) =>
    budgetPeriods.flatMap((period) => {
      const amount = moneyAmount(values[kind][period]);
      return amount === null ? [] : { amount, period, hard: kind === "hard" };
    }),
  );
}

/** Why a text is not an amount. Undefined if it is one. */
export function moneyProblem(t: Words<"amounts">, text: string): string | undefined {
  if (text.trim() === "") return undefined;
  const noMoney = t("moneyOrEmpty");
  const { value, problem } = typedAmount(t, text, noMoney);
  if (value === undefined) return problem;
  return (parseDecimal(value) ?? 0n) > 0n ? undefined : noMoney;
}

/** The amount in a valid text. Null: empty. */
export function moneyAmount(text: string): string | null {
  const read = readAmount(text);
  return read && "value" in read ? read.value : null;
}
