import { ulidOf } from "#contract/ids.ts";
import { taskLimits } from "#contract/money/budget-constants.ts";
import type { Sweep } from "#gateway/platform/core/sweeps.ts";
import { agedPartitionSweep, usageLineDays } from "#gateway/platform/database/partitions.ts";
import { rowSweep } from "#gateway/platform/database/row-sweep.ts";
import { batchSize, releaseExpired } from "../budgets/reserve.ts";

/**
 * Removes old usage lines; daily sums stay. A run writes its lines when it ends, into the day of its
 * admission, so days of running predictions are kept.
 */
export const usageLineSweep = agedPartitionSweep({
  kind: "usage_lines",
  table: usageLineDays,
  at: "day::timestamptz",
  days: ({ history }) => history.days,
  async neededFrom({ database }) {
    // Without `offset 0` the planner would search for the smallest id by walking the primary key, past all
    // predictions that have ended.
    const { rows } = await database.pool.query<{ id: string | null }>(
      `select min(id) as id from (
         select id from predictions where status in ('starting', 'processing') offset 0
       ) running`,
    );
    const id = rows[0]?.id;
    return id ? ulidOf(id) : null;
  },
});

/**
 * Removes reservations of dead processes. Expired ones no longer count; they are kept for a while in case a
 * process was only cut off from the database.
 */
export const budgetReservationSweep = rowSweep({
  kind: "budget_reservations",
  table: "budget_reservations",
  dueAt: "expires_at",
  afterSeconds: 600,
});

/** Releases the reservations of dead processes. */
export const moneyReservationSweep: Sweep = {
  kind: "money_reservations",
  run: async ({ database }) => (await releaseExpired(database)) === batchSize,
  oldestDue: () => "select min(expires_at) from money_reservations",
};

/** How long balances of past periods, and their reached thresholds, are kept. */
const keptDays = 400;

function pastPeriods(kind: string, table: string): Sweep {
  const due = `starts_on <> '' and starts_on < to_char(now() - interval '${keptDays} days', 'YYYY-MM-DD')`;
  return {
    kind,
    async run({ database }) {
      const { rowCount } = await database.pool.query(
        `delete from ${table} where ctid = any (array(
           select ctid from ${table} where ${due} limit ${batchSize} for update skip locked))`,
      );
      return rowCount === batchSize;
    },
    oldestDue: () =>
      `select min(starts_on)::timestamptz + interval '${keptDays} days' from ${table} where starts_on <> ''`,
  };
}

export const budgetBalanceSweep = pastPeriods("budget_balances", "budget_balances");

export const budgetThresholdSweep = pastPeriods("budget_thresholds", "budget_thresholds");

const taskDue = `kind = 'task' and last_run_at < now() - interval '${taskLimits.keptDays} days' and reserved = 0`;

/** Forgets tasks some time after their last run. Balances are locked first, as runs lock them. */
export const taskSweep: Sweep = {
  kind: "tasks",
  async run({ database }) {
    const { rowCount } = await database.pool.query(
      `with gone as (
         delete from budget_balances where ctid = any (array(
           select ctid from budget_balances where ${taskDue} limit ${batchSize} for update skip locked))
         returning holder
       ) delete from tasks where id in (select holder from gone)`,
    );
    return rowCount === batchSize;
  },
  oldestDue: () =>
    `select min(last_run_at) + interval '${taskLimits.keptDays} days' from budget_balances where kind = 'task'`,
};
