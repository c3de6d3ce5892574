import type pg from "pg";
import type { Logger } from "pino";
import type { Database } from "#gateway/platform/database/database.ts";

/** The advisory lock that every delivery worker of a database holds shared; an arbitrary number. */
const workersLock = 7_302_114;

/** A worker's presence in the database: ends with its connection, so also with its process. */
export interface Presence {
  leave(): void;
}

/**
 * Joins the workers of this database. When there is no other, every lease belongs to a dead worker and is ended at
 * once, so that the only process continues after a restart without waiting for leases to expire.
 */
export async function joinWorkers(database: Database, log: Logger): Promise<Presence> {
  const client = await database.pool.connect();
  // A lost connection loses the lock: then another start waits for leases instead of ending them, or ends ours,
  // and at worst a delivery is sent twice.
  client.on("error", (error: Error) => log.debug({ err: error }, "webhooks: presence connection lost"));
  try {
    const alone = await client.query<{ locked: boolean }>("select pg_try_advisory_lock($1) as locked", [
      workersLock,
    ]);
    if (alone.rows[0]?.locked) {
      const freed = await endLeases(client);
      if (freed > 0)
        log.info({ deliveries: freed }, "webhooks: took over the deliveries of the last process");
    }
    await client.query("select pg_advisory_lock_shared($1)", [workersLock]);
    if (alone.rows[0]?.locked) await client.query("select pg_advisory_unlock($1)", [workersLock]);
  } catch (error) {
    client.release(true);
    throw error;
  }
  return { leave: () => client.release(true) };
}

async function endLeases(client: pg.PoolClient): Promise<number> {
  const ended = await client.query(
    `update webhook_deliveries set lease_expires_at = now() - interval '1 millisecond'
     where status in ('pending', 'failed') and next_attempt_at is not null and lease_expires_at > now()`,
  );
  return ended.rowCount ?? 0;
}
