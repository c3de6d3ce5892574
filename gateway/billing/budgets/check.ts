import type { BudgetInputs, Budgets } from "#contract/money/budgets.ts";
import { decimalOf, decimalText } from "#contract/money/decimal.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";

/**
 * Budgets in stored form; null if there are none. Throws `invalid_parameter` for an amount of zero, for
 * another currency than the installation's, or for a second budget of the same period and kind.
 */
export function checkedBudgets(budgets: BudgetInputs, currency: string): Budgets | null {
  const known = new Set<string>();
  const checked = budgets.map(({ amount, currency: own, period, hard }, at) => {
    const refuse = (field: string, message: string) => {
      throw new ApiError("invalid_parameter", message, { param: `budgets[${at}].${field}` });
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
