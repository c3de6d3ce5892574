import { ulidOf } from "#contract/ids.ts";
import { agedPartitionSweep, usageLineDays } from "#gateway/platform/database/partitions.ts";
import { rowSweep } from "#gateway/platform/database/row-sweep.ts";

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
    // "offset 0" makes the planner run the inner query by itself. Otherwise it would walk the primary key
    // from the smallest id, through all the predictions that have ended.
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
