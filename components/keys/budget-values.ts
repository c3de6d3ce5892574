import { largestBudget } from "#contract/accounts/constants.ts";
import type { MonthlyBudget } from "#contract/accounts/keys.ts";
import { type BillingUnit, billingUnits } from "#contract/catalog-constants.ts";
import { typedAmount, unambiguous } from "@/lib/written-amount";

/** The values of the budget form. An empty text means no limit. */
export type BudgetValues = Record<BillingUnit, string>;

/** The form's values for a budget, or for none. */
export function budgetValues(budget: MonthlyBudget | null): BudgetValues {
  const fields = billingUnits.map((unit) => [unit, unambiguous(String(budget?.[unit] ?? ""))]);
  return Object.fromEntries(fields) as BudgetValues;
}

/** The budget for the form's values. Null if all are empty. */
export function budgetBody(values: BudgetValues): MonthlyBudget | null {
  const filled = billingUnits.filter((unit) => values[unit].trim() !== "");
  if (filled.length === 0) return null;
  return Object.fromEntries(filled.map((unit) => [unit, Number(values[unit])]));
}

/** The problem with a quantity. Undefined if it is valid. */
export function budgetProblem(text: string): string | undefined {
  if (text.trim() === "") return undefined;
  const value = Number(text);
  return value > 0 && value <= largestBudget ? typedAmount(text, noQuantity).problem : noQuantity;
}

const noQuantity = "Enter a number above 0 in digits only, or leave the field empty.";

/** Why a limit is not a whole number within its bounds. Undefined if it is. */
export function limitProblem(
  text: string,
  { minimum, maximum }: { minimum: number; maximum: number },
): string | undefined {
  if (text.trim() === "") return undefined;
  const value = Number(text);
  return Number.isInteger(value) && value >= minimum && value <= maximum
    ? undefined
    : `Enter a whole number from ${minimum} to ${maximum.toLocaleString("en")}, or leave this empty.`;
}
