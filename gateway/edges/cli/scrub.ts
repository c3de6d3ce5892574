import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { superuser } from "#gateway/platform/database/embedded/cluster.ts";
import type { Command } from "./command.ts";

/** The tables with what calls were sent and answered. */
const tables = [
  ...["predictions", "outputs", "batches", "batch_rows", "responses", "response_jobs", "response_events"],
  ...["webhook_events", "webhook_attempts", "idempotency_keys", "contents", "content_keys"],
  ...["kept_outputs", "presets", "preset_versions", "conversations", "shares"],
];

/** Statistics may have some values of columns, and the write-ahead log has every change. */
const afterwards = ["vacuum (full) pg_statistic", "select pg_switch_wal()", "checkpoint"];

/** PostgreSQL renames segments of the log for later use, with their bytes. Creating them anew takes a little longer. */
const withoutOldSegments = ["alter system set wal_recycle = off", "select pg_reload_conf()"];
/** How many segments were renamed for later use. */
const segmentsAhead = `select count(*)::int as count from pg_ls_waldir()
  where name ~ '^[0-9A-F]{24}$' and name > pg_walfile_name(pg_current_wal_lsn())`;
/** Begins the next segment. An empty one would not be left, so it gets a record first. */
const nextSegment = ["select pg_logical_emit_message(false, 'scrub', '')", "select pg_switch_wal()"];

/** The oldest transaction that began before another one. */
const olderTransaction = `select xact_start as since from pg_stat_activity
  where pid <> pg_backend_pid() and coalesce(datname, current_database()) = current_database()
    and greatest(age(backend_xid), age(backend_xmin)) > age($1::xid)
  order by xact_start limit 1`;

/** While a table waits to be rewritten, everybody else waits for it: so it waits for a short time, several times. */
const lockTimeoutMs = 2_000;
const maxTries = 30;
const lockNotAvailable = "55P03";

/** `gatehouse scrub`: leaves nothing of removed rows in the database's files. */
export const scrub: Command = {
  usage: `scrub

PostgreSQL keeps the bytes of removed rows until others take their place, in free space of a table's files and in its
write-ahead log. This rewrites the tables that held inputs, outputs and payloads, one after the other, and lets the log
begin anew. Requests that need a table wait while it is rewritten, some seconds for each GB; its size must be free on the disk.
Run it when the retention of an account must be true for the disk as well (docs/retention.md), for example every night.`,
  options: {},
  prepare:
    () =>
    async ({ config, database }) => {
      const { Client: _, ...connection } = database.pool.options;
      const limits = { statement_timeout: 0, query_timeout: 0, lock_timeout: lockTimeoutMs };
      // The embedded server is this machine's own; its gateway is not a superuser.
      const own = config.databaseUrl === null && { user: superuser };
      const client = new pg.Client({ ...connection, ...limits, ...own });
      // A table that the role does not own is passed over with a warning.
      let warning: string | undefined;
      client.on("notice", ({ message }) => {
        warning ??= message;
      });
      await client.connect();
      try {
        if (own) for (const statement of withoutOldSegments) await client.query(statement);
        await passOlderTransactions(client);
        for (const table of tables) await rewrite(client, table);
        if (warning !== undefined) throw new Error(`PostgreSQL did not rewrite all tables: ${warning}`);
        const { rows } = await client.query("select current_setting('is_superuser') as super");
        const done = `Rewrote ${tables.length} tables`;
        if (rows[0]?.super !== "on")
          return `${done}. A superuser of the database must also run: ${afterwards.join("; ")}`;
        if (own) await passPreparedSegments(client);
        for (const statement of afterwards) await client.query(statement);
        return `${done} and began the write-ahead log anew`;
      } finally {
        await client.end();
      }
    },
};

/**
 * Waits until all transactions have ended that could still see a row removed before now: a rewritten table would keep its bytes
 * for them.
 */
async function passOlderTransactions(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ now: string }>("select pg_current_xact_id()::xid::text as now");
  for (let tries = 1; ; tries += 1) {
    const older = await client.query<{ since: Date }>(olderTransaction, [rows[0]?.now]);
    if (!older.rows[0]) return;
    if (tries === maxTries) {
      const since = older.rows[0].since.toISOString();
      throw new Error(
        `A transaction of the database has been open since ${since}. Run this again once it has ended.`,
      );
    }
    await sleep(lockTimeoutMs);
  }
}

/** The checkpoint then deletes them, with the current one. */
async function passPreparedSegments(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ count: number }>(segmentsAhead);
  for (let left = rows[0]?.count ?? 0; left > 0; left -= 1)
    for (const statement of nextSegment) await client.query(statement);
}

async function rewrite(client: pg.Client, table: string): Promise<void> {
  for (let tries = 1; ; tries += 1)
    try {
      await client.query(`vacuum (full, analyze) ${table}`);
      return;
    } catch (error) {
      const isBusy = error instanceof pg.DatabaseError && error.code === lockNotAvailable;
      if (!isBusy) throw error;
      if (tries === maxTries)
        throw new Error(`The table ${table} is in use all the time. Run this again at a quieter time.`);
      await sleep(lockTimeoutMs);
    }
}
