import { type Permission, rolesWith } from "#contract/accounts/permissions.ts";
import type { BudgetRefusal } from "#contract/error.ts";
import type { BudgetHolder, BudgetPeriod } from "#contract/money/budgets.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { peopleWithRole } from "#gateway/platform/http/people-with-role.ts";
import { endOf } from "./periods.ts";
import type { BudgetFound, Most } from "./reserve.ts";
import { holderNames } from "./state.ts";

/** Who can raise the budget of what. */
const raisedWith: Readonly<Record<BudgetHolder, Permission>> = {
  account: "budgets:manage",
  member: "members:manage",
  key: "keys:manage",
  batch: "operations:run",
};

const periodWords: Readonly<Record<BudgetPeriod, string>> = {
  day: "a day",
  week: "a week",
  month: "a month",
  total: "in all",
};

/** The 402 of a run for which a budget has no room: which, what is left, when it resets and who can raise it. */
export async function refusal(
  queries: Queries,
  accountId: string,
  budget: BudgetFound,
  { model, most, currency }: { model: string; most: Most; currency: string },
): Promise<ApiError> {
  const { kind, amount, period, isCredit } = budget;
  const who = holderNames[kind];
  const named = isCredit
    ? `${who} is prepaid`
    : `${who} has a hard budget of ${amount} ${budget.currency} ${periodWords[period]}`;
  const roles = isCredit ? [] : rolesWith(raisedWith[kind]);
  const details = roles.length > 0 ? await peopleWithRole(queries, accountId, roles) : undefined;
  const refusedBy = fieldsOf(budget, currency);
  const instead = isCredit ? "" : " A soft budget would let it run.";
  if (most.amount === null && most.reason === "no maximum")
    return new ApiError(
      "missing_parameter",
      `${named}, and ${model} does not say how much it may use at most. Send max_tokens.${instead}`,
      { param: "max_tokens", ...(details && { details }) },
    );
  if (most.amount === null)
    return new ApiError(
      "not_priced",
      `${named}, and ${model} has no price, so what it costs could not be held against it. An operator can set a price.${instead}`,
      { refusedBy, ...(details && { details }) },
    );
  return new ApiError(
    "budget_exceeded",
    [
      `${named}. ${leftOf(budget, currency)}`,
      `This run may cost up to ${most.amount} ${currency}.`,
      ...resetOf(budget),
      isCredit
        ? "An operator of this installation can add credit."
        : `To raise it takes the role ${roles.join(" or ")}.`,
    ].join(" "),
    { refusedBy, ...(details && { details }) },
  );
}

function fieldsOf(budget: BudgetFound, currency: string): BudgetRefusal {
  const { kind, holder, isCredit, amount, period, startsOn, left } = budget;
  // The holder of a member's budget is the user and the account.
  const [id = ""] = holder.split(" ");
  return {
    budget: {
      holder: { type: kind, id },
      prepaid: isCredit,
      amount: isCredit ? null : amount,
      unit: currency,
      period,
    },
    left,
    resets_at: endOf(period, startsOn)?.toISOString() ?? null,
  };
}

function leftOf({ spent, reserved, left }: BudgetFound, currency: string): string {
  const open = reserved === "0" ? "" : `, ${reserved} reserved by active runs`;
  return `${left.startsWith("-") ? "Nothing" : `${left} ${currency}`} of it is left (${spent} spent${open}).`;
}

function resetOf({ period, startsOn }: BudgetFound): string[] {
  const end = endOf(period, startsOn);
  return end ? [`It resets at ${end.toISOString()}.`] : [];
}
