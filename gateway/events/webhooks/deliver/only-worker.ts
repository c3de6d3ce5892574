import type pg from "pg";
import type { Logger } from "pino";
import type { Database } from "#gateway/platform/database/database.ts";

/** Every delivery worker of a database holds this advisory lock in shared mode; the number is arbitrary. */
const workersLock = 7_302_114;

/**
 * A worker's presence in the database; it ends with the worker's connection, and so also with its process.
 */
export interface Presence {
  leave(): void;
}

/**
 * Registers this worker in the database. If there is no other, every lease belongs to a dead worker and is
 * ended at once, so that a single process continues after a restart without waiting for leases to expire.
 */
export async function joinWorkers(database: Database, log: Logger): Promise<Presence> {
  const client = await database.pool.connect();
  // If this connection breaks, the lock is lost. A worker that starts then can end our leases; at worst a
  // delivery is sent twice.
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
