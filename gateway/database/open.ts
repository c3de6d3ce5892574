import { drizzle } from "drizzle-orm/node-postgres";
import type pg from "pg";
import type { Logger } from "pino";
import type { Config } from "#gateway/core/config.ts";
import { BoundedPool } from "./bounded-pool.ts";
import { Connection } from "./connection.ts";
import type { Database } from "./database.ts";
import { startEmbedded } from "./embedded/embedded.ts";
import { Listener } from "./listener.ts";
import { migrateDatabase, pendingMigrations } from "./migrate.ts";
import { Notifier } from "./notifier.ts";
import { Readiness } from "./readiness.ts";
import * as schema from "./schema.ts";

const poolSize = 16;
const connectTimeoutMs = 5_000;
/** Enforced by the server, and a little later by this process in case the server does not answer. */
const statementTimeoutMs = 30_000;
const usualQueryTimeoutMs = 35_000;
/** Of the question whether the database takes writes. */
const probeTimeoutMs = 2_000;
const idleInTransactionTimeoutMs = 60_000;
/** A plan made while a table was empty must still serve when it is full: by index, whatever the statistics say. */
const steadyPlans = `
  set plan_cache_mode = force_generic_plan;
  set enable_seqscan = off;
  set enable_hashjoin = off;
  set enable_mergejoin = off`;

const relaxedCommits = "set synchronous_commit = off";

type ServerConfig = Pick<Config, "databaseUrl" | "dataDir">;

/**
 * Opens the database behind DATABASE_URL, else the embedded one of the data folder, and brings it up to date; with
 * MIGRATE=off it must be up to date already.
 */
export async function openDatabase(
  config: ServerConfig & Pick<Config, "migrate">,
  log: Logger,
  mode: "own" | "borrow" = "own",
): Promise<Database> {
  return withServer(config, log, mode, async (server, engine, stop) => {
    await (config.migrate ? migrateDatabase : assertMigrated)(withDefaults(server), log);
    return connect(server, engine, log, stop);
  });
}

/** Applies what is missing, or with `check` only tells: the names of the migrations. */
export async function migrateServer(config: ServerConfig, log: Logger, check: boolean): Promise<string[]> {
  return withServer(config, log, "borrow", async (server, _engine, stop) => {
    const names = await (check ? pendingMigrations : migrateDatabase)(withDefaults(server), log);
    await stop();
    return names;
  });
}

async function assertMigrated(server: pg.ClientConfig, log: Logger): Promise<void> {
  const pending = await pendingMigrations(server, log);
  if (pending.length > 0)
    throw new Error(
      `it lacks ${pending.join(", ")}, and MIGRATE is off. Run "npm run -s gatehouse -- migrate" first`,
    );
}

/** `use` must call `stop` when it needs the server no more; where it throws, that is done here. */
async function withServer<Result>(
  config: ServerConfig,
  log: Logger,
  mode: "own" | "borrow",
  use: (server: pg.ClientConfig, engine: Database["engine"], stop: () => Promise<void>) => Promise<Result>,
): Promise<Result> {
  if (config.databaseUrl) {
    try {
      return await use({ connectionString: config.databaseUrl }, "server", async () => {});
    } catch (cause) {
      // the message has no user or password
      throw new Error(`The database of DATABASE_URL cannot be opened: ${(cause as Error).message}`, {
        cause,
      });
    }
  }
  const server = await startEmbedded({ dataDir: config.dataDir, log, mode });
  try {
    return await use(server.connection, "embedded", () => server.stop());
  } catch (error) {
    await server.stop();
    throw error;
  }
}

function withDefaults(server: pg.ClientConfig): pg.ClientConfig {
  return {
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    application_name: "gatehouse",
    ...server,
  };
}

/** Connects to a running server that is up to date; `stop` is called after the last connection is closed. */
export async function connect(
  server: pg.ClientConfig,
  engine: Database["engine"],
  log: Logger,
  stop: () => Promise<void> = async () => {},
): Promise<Database> {
  const connection = withDefaults(server);
  // without listeners, `error` of an idle or checked-out client would crash the process when the server goes away
  const lost = (error: Error) => log.warn({ error: error.message }, "a database connection was lost");
  const openPool = (settings: pg.PoolConfig): pg.Pool => {
    const opened = new BoundedPool({
      Client: Connection,
      ...connection,
      statement_timeout: statementTimeoutMs,
      query_timeout: usualQueryTimeoutMs,
      idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
      ...settings,
    });
    opened.on("error", lost);
    opened.on("connect", (client) => client.on("error", lost));
    return opened;
  };
  const pool = openPool({ max: poolSize });
  const probes = openPool({ max: 1, connectionTimeoutMillis: probeTimeoutMs, query_timeout: probeTimeoutMs });
  const readiness = new Readiness(probes);
  const queries = drizzle(pool, { schema });
  const listener = new Listener(connection, log);
  const notifier = new Notifier(connection, log);
  let closed: Promise<void> | null = null;
  return {
    queries,
    pool,
    engine,
    openSteadyPool: (max, { queryTimeoutMs = usualQueryTimeoutMs, isRelaxed = false } = {}) =>
      openPool({
        max,
        query_timeout: queryTimeoutMs,
        onConnect: async (client) =>
          void (await client.query(isRelaxed ? `${steadyPlans}; ${relaxedCommits}` : steadyPlans)),
      }),
    transaction: (run) => queries.transaction(run),
    listen: (channel, notified) => listener.listen(channel, notified),
    isListening: () => listener.isListening(),
    isReady: () => readiness.isReady(),
    notify: (channel, payload = "") => notifier.notify(channel, payload),
    close() {
      closed ??= (async () => {
        await Promise.all([listener.close(), notifier.close(), probes.end(), pool.end()]);
        await stop();
      })();
      return closed;
    },
  };
}
