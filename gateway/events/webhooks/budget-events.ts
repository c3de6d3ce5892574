import { type BudgetShare, type BudgetThreshold, budgetShares } from "#contract/money/budgets.ts";
import type { Reached } from "#gateway/billing/budgets/book.ts";
import { endOf } from "#gateway/billing/budgets/periods.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Database, Queries } from "#gateway/platform/database/database.ts";
import { deliveriesChannel, emitEvent, eventsChannel } from "./events.ts";

/** Writes an event for each budget threshold that was reached, in the transaction that metered the runs. */
export async function emitReached(
  queries: Queries,
  reached: readonly Reached[],
  retentionMs: number,
): Promise<void> {
  for (const one of reached)
    await emitEvent(queries, {
      accountId: one.accountId,
      type: "budget.threshold",
      subject: { budgetOf: one.holder },
      object: thresholdOf(one),
      retentionUntil: new Date(clock.now() + retentionMs),
    });
}

/** Call it after the commit. */
export function announceReached(database: Database, reached: readonly Reached[]): void {
  if (reached.length === 0) return;
  database.notify(deliveriesChannel);
  for (const accountId of new Set(reached.map((one) => one.accountId)))
    database.notify(eventsChannel, accountId);
}

function thresholdOf(reached: Reached): BudgetThreshold {
  const { kind, holder, name, period, startsOn, amount, currency, hard, spent, share } = reached;
  return {
    object: "budget.threshold",
    share: budgetShares.find((known) => known === Number(share)) as BudgetShare,
    holder: { type: kind, id: holder.split(" ")[0] ?? holder, name },
    amount,
    currency,
    period,
    hard,
    spent,
    period_start: startsOn === "" ? null : new Date(startsOn).toISOString(),
    resets_at: endOf(period, startsOn)?.toISOString() ?? null,
  };
}
