import { type BudgetPeriod, type Budgets, budgetPeriods } from "#contract/money/budgets.ts";
import { decimalOf, decimalText } from "#contract/money/decimal.ts";
import { startOf } from "#gateway/billing/budgets/periods.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";

/*
 * The hard money budgets of all keys that a key created add up to at most its own. An ended key counts with
 * its spending.
 */

/** For each period, the periods that contain it completely: a limit for one of those also limits it. */
const within: Readonly<Record<BudgetPeriod, readonly BudgetPeriod[]>> = {
  day: ["day", "week", "month", "total"],
  week: ["week", "total"],
  month: ["month", "total"],
  total: ["total"],
};

/** Whether a key has a hard budget, which the keys that it creates must not exceed. */
export function hasHardBudget(budgets: Budgets | null): boolean {
  return budgets?.some(({ hard }) => hard) ?? false;
}

/** The most that may be spent in a period; null: unlimited. */
function limitIn(period: BudgetPeriod, budgets: Budgets | null): bigint | null {
  let most: bigint | null = null;
  for (const budget of budgets ?? []) {
    if (!budget.hard || !within[period].includes(budget.period)) continue;
    const amount = decimalOf(budget.amount);
    if (most === null || amount < most) most = amount;
  }
  return most;
}

/** Rejects budgets that raise a key's hard budgets. Throws `insufficient_scope`. */
export function assertNotRaised(own: Budgets | null, asked: Budgets | null): void {
  for (const { period, amount, currency, hard } of own ?? []) {
    if (!hard) continue;
    const most = limitIn(period, asked);
    if (most === null || most > decimalOf(amount))
      throw refusal(`A key cannot raise its own budget: at most ${amount} ${currency} for ${period}.`);
  }
}

/**
 * Rejects budgets of a key that exceed what its creator can still grant next to `others`. Throws
 * `insufficient_scope`.
 */
export async function assertMoneyLeft(
  queries: Queries,
  maker: { id: string; budgets: Budgets | null },
  others: readonly { isEnded: boolean; budgets: Budgets | null }[],
  asked: Budgets | null,
): Promise<void> {
  if (!hasHardBudget(maker.budgets)) return;
  const spent = await spentByEnded(queries, maker.id);
  for (const { period, amount, currency, hard } of maker.budgets ?? []) {
    if (!hard) continue;
    let left: bigint | null = decimalOf(amount) - (spent.get(period) ?? 0n);
    for (const other of others) {
      if (other.isEnded || left === null) continue;
      const granted = limitIn(period, other.budgets);
      left = granted === null ? null : left - granted;
    }
    const wanted = limitIn(period, asked);
    if (wanted !== null && left !== null && wanted <= left) continue;
    const shown = decimalText(left === null || left < 0n ? 0n : left);
    throw refusal(
      `Keys created by a key with a hard budget share it: ${shown} of ${amount} ${currency} for ${period} can still be granted.`,
    );
  }
}

/** The spending in the current periods of ended keys that a key created. */
async function spentByEnded(queries: Queries, makerId: string): Promise<Map<BudgetPeriod, bigint>> {
  const now = clock.now();
  const starts = budgetPeriods.map((period) => sql`(${period}, ${startOf(period, now)})`);
  const { rows } = await queries.execute<{ period: BudgetPeriod; spent: string }>(sql`
    with recursive made as (
      select id, revoked_at, expires_at from api_keys where made_by = ${makerId}
      union
      select k.id, k.revoked_at, k.expires_at from api_keys k join made m on k.made_by = m.id
    )
    select b.period, trim_scale(sum(b.spent + b.reserved))::text as spent
    from made join budget_balances b on b.holder = made.id
      join (values ${sql.join(starts, sql`, `)}) as starts (period, starts_on) using (period, starts_on)
    where least(revoked_at, expires_at) <= now() group by b.period`);
  return new Map(rows.map(({ period, spent }) => [period, decimalOf(spent)]));
}

function refusal(message: string): ApiError {
  return new ApiError("insufficient_scope", message, { param: "budgets" });
}
