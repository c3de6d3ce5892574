import { largestBudget } from "#contract/accounts/constants.ts";
import type { MonthlyBudget } from "#contract/accounts/keys.ts";
import { type BillingUnit, billingUnits } from "#contract/catalog-constants.ts";
import { metadataLimits } from "#contract/metadata.ts";
import { taskRuns } from "#contract/money/budget-constants.ts";
import type { TaskBudget, TaskBudgetInput } from "#contract/money/budgets.ts";
import { typedAmount, unambiguous } from "@/lib/written-amount";
import type { Words } from "@/messages/words";
import { moneyAmount, moneyProblem } from "./money-values.ts";

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
export function budgetProblem(t: Words<"amounts">, text: string): string | undefined {
  if (text.trim() === "") return undefined;
  const value = Number(text);
  const noQuantity = t("quantityOrEmpty");
  return value > 0 && value <= largestBudget ? typedAmount(t, text, noQuantity).problem : noQuantity;
}

/** Why a limit is not a whole number within its bounds. Undefined if it is. */
export function limitProblem(
  t: Words<"amounts">,
  text: string,
  { minimum, maximum }: { minimum: number; maximum: number },
): string | undefined {
  if (text.trim() === "") return undefined;
  const value = Number(text);
  return Number.isInteger(value) && value >= minimum && value <= maximum
    ? undefined
    : t("wholeOrEmpty", { minimum: String(minimum), maximum });
}

/** A cap per task as typed. If the metadata key is empty, there is no cap. */
export type TaskCapValues = Record<"metadata_key" | "amount" | "max_runs", string>;

type Problem = string | undefined;

/** The field names in a form with the field `task_budget`. */
export const taskCapFieldNames = (["metadata_key", "amount", "max_runs"] as const).map(
  (name) => `task_budget.${name}` as const,
);

/** The form's values for a cap, or for none. */
export function taskCapValues(cap: TaskBudget | null): TaskCapValues {
  return {
    metadata_key: cap?.metadata_key ?? "",
    amount: unambiguous(cap?.amount ?? ""),
    max_runs: String(cap?.max_runs ?? ""),
  };
}

/** The cap for the form's values; null if there is none. */
export function taskCapBody({ metadata_key, amount, max_runs }: TaskCapValues): TaskBudgetInput | null {
  if (metadata_key.trim() === "") return null;
  return {
    metadata_key: metadata_key.trim(),
    amount: moneyAmount(amount),
    max_runs: max_runs.trim() === "" ? null : Number(max_runs),
  };
}

/** Return the problem with each field, given all values. Undefined if the field is valid. */
export const taskCapProblems = {
  metadata_key: (t: Words<"amounts">, text: string, { amount, max_runs }: TaskCapValues): Problem => {
    const key = text.trim();
    if (key.length > metadataLimits.keyLength)
      return t("metadataKeyLength", { count: String(metadataLimits.keyLength) });
    return key === "" && `${amount}${max_runs}`.trim() !== "" ? t("nameTheTask") : undefined;
  },
  amount: (t: Words<"amounts">, text: string, { metadata_key, max_runs }: TaskCapValues): Problem =>
    metadata_key.trim() !== "" && `${text}${max_runs}`.trim() === ""
      ? t("amountOrRuns")
      : moneyProblem(t, text),
  max_runs: (t: Words<"amounts">, text: string): Problem => limitProblem(t, text, taskRuns),
};
