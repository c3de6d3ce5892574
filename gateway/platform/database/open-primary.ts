import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Logger } from "pino";

/** A fail-over is over by then. */
const usualWaitMs = 60_000;
const lookEveryMs = 1_000;
/** PostgreSQL's code while it starts or recovers. */
const startingUp = "57P03";

/**
 * Connects to a server that accepts writes. A stand-by, or a server that is still starting, is waited for; another
 * failure is thrown at once.
 */
export async function openPrimary(
  connection: pg.ClientConfig,
  log: Logger,
  waitMs = usualWaitMs,
): Promise<pg.Client> {
  const giveUpAt = performance.now() + waitMs;
  for (let look = 0; ; look += 1) {
    const opened = await open(connection);
    if (typeof opened !== "string") return opened;
    if (performance.now() >= giveUpAt)
      throw new Error(`${opened}, and did not become a primary within ${Math.round(waitMs / 1000)} s`);
    if (look === 0) log.warn(`the database is not ready: ${opened}; waiting for it`);
    await sleep(Math.min(lookEveryMs, waitMs));
  }
}

/** A connection, or why the server cannot be used yet. */
async function open(connection: pg.ClientConfig): Promise<pg.Client | string> {
  const client = new pg.Client(connection);
  client.on("error", () => {}); // the query in progress tells
  try {
    await client.connect();
    const { rows } = await client.query<{ standby: boolean; readonly: boolean }>(
      "select pg_is_in_recovery() as standby, current_setting('transaction_read_only') = 'on' as readonly",
    );
    if (!rows[0]?.readonly) return client;
    await client.end();
    return rows[0].standby ? "it is a stand-by" : "it accepts no writes (default_transaction_read_only)";
  } catch (error) {
    await client.end().catch(() => {});
    if ((error as { code?: string }).code === startingUp) return "it is still starting";
    throw error;
  }
}
