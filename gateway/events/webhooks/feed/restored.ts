import type { Logger } from "pino";
import type { Database } from "#gateway/platform/database/database.ts";

const looked = 100;
const batchSize = 5000;

/**
 * Events restored from a dump have transaction ids of another PostgreSQL. Those that this server has not
 * reached yet would be delayed and hide new events, so they are made the oldest. Cheap if there are none.
 */
export async function settleRestored({ pool }: Database, log: Logger): Promise<void> {
  const { rows } = await pool.query<{ foreign: boolean }>(
    `select coalesce(bool_or(tx >= pg_snapshot_xmax(pg_current_snapshot())), false) as foreign
     from (select tx from webhook_events order by id desc limit $1) as newest`,
    [looked],
  );
  if (!rows[0]?.foreign) return;
  let settled = 0;
  let last = "";
  for (;;) {
    const batch = await pool.query<{ id: string | null; rows: number }>(
      `with batch as (select id from webhook_events where id > $1 order by id limit $2),
       changed as (
         update webhook_events e set tx = '0' from batch
         where e.id = batch.id and e.tx >= pg_snapshot_xmax(pg_current_snapshot())
         returning e.id
       )
       select (select max(id) from batch) as id, (select count(*)::int from changed) as rows`,
      [last, batchSize],
    );
    const [done] = batch.rows;
    settled += done?.rows ?? 0;
    if (!done?.id) break;
    last = done.id;
  }
  log.info({ events: settled }, "webhooks: events were restored from another database");
}
