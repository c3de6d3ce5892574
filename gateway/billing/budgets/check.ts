import type { BudgetInputs, Budgets, TaskBudget, TaskBudgetInput } from "#contract/money/budgets.ts";
import { decimalOf, decimalText } from "#contract/money/decimal.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";

/**
 * Budgets in stored form; null if there are none. Throws `invalid_parameter` for an amount of zero, for
 * another currency than the installation's, or for a second budget of the same period and kind.
 */
export function checkedBudgets(budgets: BudgetInputs, currency: string): Budgets | null {
  const known = new Set<string>();
  const checked = budgets.map(({ amount, currency: own, period, hard }, at) => {
    const refuse = (field: string, message: string) => {
      throw invalidParameter(`budgets[${at}].${field}`, message);
    };
    if (own !== undefined && own !== currency)
      refuse("currency", `currency must be ${currency}, the currency of this installation.`);
    const value = decimalOf(amount);
    if (value === 0n) refuse("amount", "A budget must be more than 0.");
    const name = `${hard ? "hard" : "soft"} ${period}`;
    if (known.has(name))
      refuse(
        "period",
        `There is already a ${hard ? "hard" : "soft"} budget for this period. Change that one.`,
      );
    known.add(name);
    return { amount: decimalText(value), currency, period, hard };
  });
  return checked.length > 0 ? checked : null;
}

/**
 * A cap per task in stored form. Throws `invalid_parameter` for an amount of zero, for another currency than
 * the installation's, and `missing_parameter` without any limit.
 */
export function checkedTaskBudget(input: TaskBudgetInput | null, currency: string): TaskBudget | null {
  if (input === null) return null;
  const { metadata_key, amount = null, currency: own = currency, max_runs = null } = input;
  const refuse = (field: string, message: string) => invalidParameter(`task_budget.${field}`, message);
  if (own !== currency)
    throw refuse("currency", `currency must be ${currency}, the currency of this installation.`);
  if (amount === null && max_runs === null)
    throw new ApiError("missing_parameter", "A cap per task needs an amount, a number of runs, or both.", {
      param: "task_budget.amount",
    });
  if (amount !== null && decimalOf(amount) === 0n)
    throw refuse("amount", "The cap of a task must be more than 0.");
  return {
    metadata_key,
    amount: amount === null ? null : decimalText(decimalOf(amount)),
    currency,
    max_runs,
  };
}
