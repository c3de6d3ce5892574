import type { BalanceHolder, BudgetPeriod, BudgetState, Budgets } from "#contract/money/budgets.ts";
import { decimalOf, decimalText } from "#contract/money/decimal.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";
import { budgetBalances } from "#gateway/platform/database/schema.ts";

/** A holder of budgets, with its id in `budget_balances`. */
export interface Holding {
  holder: string;
  budgets: Budgets | null;
}

/** The id of a member's balances. */
export function memberHolder(userId: string, accountId: string): string {
  return `${userId} ${accountId}`;
}

const dayMs = 86_400_000;

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

/** The first day (UTC) of the period that contains the moment; empty for `total`, which has none. */
export function startOf(period: BudgetPeriod, atMs: number): string {
  switch (period) {
    case "day":
      return dayOf(atMs);
    case "week":
      return dayOf(atMs - ((new Date(atMs).getUTCDay() + 6) % 7) * dayMs);
    case "month":
      return `${dayOf(atMs).slice(0, 7)}-01`;
    case "total":
      return "";
  }
}

/** The date of a moment in UTC. */
export function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

/** When the next period begins; null for `total`. */
export function endOf(period: BudgetPeriod, startsOn: string): Date | null {
  if (period === "total") return null;
  const start = new Date(startsOn);
  if (period === "month") return new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1));
  return new Date(start.getTime() + (period === "week" ? 7 : 1) * dayMs);
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

/** A calendar month in UTC. */
interface Month {
  /** `2026-11`. */
  name: string;
  startsAt: Date;
  /** The beginning of the next month. */
  endsAt: Date;
  /** `2026-11-01`. */
  firstDay: string;
  nextFirstDay: string;
}

/** The month of a moment. */
export function monthOf(atMs: number): Month {
  const at = new Date(atMs);
  const startsAt = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1));
  const endsAt = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1));
  return {
    name: startsAt.toISOString().slice(0, 7),
    startsAt,
    endsAt,
    firstDay: dayOf(startsAt.getTime()),
    nextFirstDay: dayOf(endsAt.getTime()),
  };
}
