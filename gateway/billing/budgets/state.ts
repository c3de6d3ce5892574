import type { BalanceHolder, BudgetPeriod, BudgetState, Budgets } from "#contract/money/budgets.ts";
import { decimalOf, decimalText } from "#contract/money/decimal.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";
import { budgetBalances } from "#gateway/platform/database/schema.ts";
import { endOf, startOf } from "./periods.ts";

/** A holder of budgets, with its id in `budget_balances`. */
export interface Holding {
  holder: string;
  budgets: Budgets | null;
}

/** The id of a member's balances. */
export function memberHolder(userId: string, accountId: string): string {
  return `${userId} ${accountId}`;
}

/**
 * The budgets of these holders, with the spending and reservations of their current periods, by holder. Sends
 * one query, or none if no holder has a budget.
 */
export async function readBudgetStates(
  queries: Queries,
  holdings: readonly Holding[],
): Promise<Map<string, BudgetState[]>> {
  const now = clock.now();
  const wanted = holdings.flatMap(({ holder, budgets }) =>
    [...new Set((budgets ?? []).map(({ period }) => period))].map((period) => ({ holder, period, now })),
  );
  const balances = await readBalances(queries, wanted);
  return new Map(
    holdings.map(({ holder, budgets }) => [
      holder,
      (budgets ?? []).map((budget): BudgetState => {
        const { spent, reserved } = balances.get(`${holder} ${budget.period}`) ?? nothing;
        return {
          ...budget,
          spent,
          reserved,
          left: decimalText(decimalOf(budget.amount) - decimalOf(spent) - decimalOf(reserved)),
          resets_at: endOf(budget.period, startOf(budget.period, now))?.toISOString() ?? null,
        };
      }),
    ]),
  );
}

export interface Balance {
  spent: string;
  reserved: string;
}
const nothing: Balance = { spent: "0", reserved: "0" };

/** An account's total spending, and the reservations of its runs. */
export async function readTotal(queries: Queries, holder: string): Promise<Balance> {
  const balances = await readBalances(queries, [{ holder, period: "total", now: clock.now() }]);
  return balances.get(`${holder} total`) ?? nothing;
}

async function readBalances(
  queries: Queries,
  wanted: readonly { holder: string; period: BudgetPeriod; now: number }[],
): Promise<Map<string, Balance>> {
  if (wanted.length === 0) return new Map();
  const keys = wanted.map(({ holder, period, now }) => ({ holder, period, starts_on: startOf(period, now) }));
  const { rows } = await queries.execute<Record<"holder" | "period" | "spent" | "reserved", string>>(sql`
    select holder, period, trim_scale(spent)::text as spent, trim_scale(reserved)::text as reserved
    from json_to_recordset(${JSON.stringify(keys)}::json) as asked (holder text, period text, starts_on text)
      join ${budgetBalances} using (holder, period, starts_on)`);
  return new Map(
    rows.map(({ holder, period, spent, reserved }) => [`${holder} ${period}`, { spent, reserved }]),
  );
}

/** The holder's name in a sentence. */
export const holderNames: Readonly<Record<BalanceHolder, string>> = {
  account: "This account",
  member: "This member",
  key: "This key",
  batch: "This batch",
  task: "This task",
};
