import type pg from "pg";
import type { Logger } from "pino";
import { Connection, Readiness } from "./connection.ts";
import type { Database } from "./database.ts";
import { drizzle, NodePgSession, PgDialect } from "./drizzle.ts";
import { Listener, Notifier } from "./notifications.ts";
import { BoundedPool } from "./prepared.ts";
import * as schema from "./schema.ts";
import { openServer, withDefaults } from "./server.ts";

const poolSize = 16;
/** The server ends slower statements. This process does so a little later, in case the server does not respond. */
const statementTimeoutMs = 30_000;
const usualQueryTimeoutMs = 35_000;
/** For the check whether the database accepts writes. */
const probeTimeoutMs = 2_000;
const idleInTransactionTimeoutMs = 60_000;
/**
 * A plan that PostgreSQL made on an empty table must still be good when the table is full, so it always uses
 * an index, whatever the statistics are.
 */
const steadyPlans = `
  set plan_cache_mode = force_generic_plan;
  set enable_seqscan = off;
  set enable_hashjoin = off;
  set enable_mergejoin = off`;

const dialect = new PgDialect();

const relaxedCommits = "set synchronous_commit = off";

/** Opens the configured database for this process; see `openServer`. */
export async function openDatabase(
  config: Parameters<typeof openServer>[0],
  log: Logger,
  mode: "own" | "borrow" = "own",
): Promise<Database> {
  const { connection, onDiskFull, stop } = await openServer(config, log, mode);
  return connect(connection, log, stop, onDiskFull);
}

/** Connects to a running, migrated server; `stop` is called after the last connection is closed. */
export async function connect(
  server: pg.ClientConfig,
  log: Logger,
  stop: () => Promise<void> = async () => {},
  onDiskFull: (call: () => void) => void = () => {},
): Promise<Database> {
  const connection = withDefaults(server);
  let closed: Promise<void> | null = null;
  // Without these listeners, `error` of an idle or checked-out client would crash the process when the server
  // disconnects.
  const lost = (error: Error) => {
    // The embedded server ends the last connections itself when it stops.
    if (closed === null) log.warn({ err: error }, "a database connection was lost");
  };
  const openPool = (settings: pg.PoolConfig): pg.Pool => {
    const opened = new BoundedPool({
      Client: Connection,
      ...connection,
      statement_timeout: statementTimeoutMs,
      query_timeout: usualQueryTimeoutMs,
      idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
      diskIsFull: () => readiness.diskIsFull(),
      ...settings,
    });
    opened.on("error", lost);
    opened.on("connect", (client) => client.on("error", lost));
    return opened;
  };
  const pool = openPool({ max: poolSize });
  const probes = openPool({ max: 1, connectionTimeoutMillis: probeTimeoutMs, query_timeout: probeTimeoutMs });
  const readiness = new Readiness(probes, log);
  onDiskFull(() => readiness.diskIsFull());
  const queries = drizzle(pool, { schema });
  // Drizzle's own never gives back a connection that is lost before it has sent `begin`.
  queries.transaction = async (run, settings) => {
    const client = await pool.connect();
    try {
      return await new NodePgSession<typeof schema, never>(client, dialect, undefined).transaction(
        run,
        settings,
      );
    } finally {
      client.release();
    }
  };
  const listener = new Listener(connection, log);
  const notifier = new Notifier(connection, log);
  return {
    queries,
    pool,
    openSteadyPool: (
      max,
      {
        queryTimeoutMs = usualQueryTimeoutMs,
        statementTimeoutMs: ownTimeoutMs = statementTimeoutMs,
        isRelaxed = false,
      } = {},
    ) =>
      openPool({
        max,
        query_timeout: queryTimeoutMs,
        statement_timeout: ownTimeoutMs,
        onConnect: async (client) =>
          void (await client.query(isRelaxed ? `${steadyPlans}; ${relaxedCommits}` : steadyPlans)),
      }),
    transaction: (run) => queries.transaction(run),
    listen: (channel, notified) => listener.listen(channel, notified),
    isListening: () => listener.isListening(),
    isReady: () => readiness.isReady(),
    get diskFullSince() {
      return readiness.diskFullSince;
    },
    get silentSince() {
      return listener.silentSince;
    },
    notify: (channel, payload = "") => notifier.notify(channel, payload),
    close() {
      closed ??= (async () => {
        readiness.close();
        await Promise.all([listener.close(), notifier.close(), probes.end(), pool.end()]);
        await stop();
      })();
      return closed;
    },
  };
}
