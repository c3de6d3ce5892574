import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import type { Logger } from "pino";
import type { Config } from "#gateway/core/config.ts";
import { Connection } from "./connection.ts";
import type { Database } from "./database.ts";
import { startEmbedded } from "./embedded/embedded.ts";
import { Listener } from "./listener.ts";
import { migrateDatabase } from "./migrate.ts";
import { Notifier } from "./notifier.ts";
import * as schema from "./schema.ts";

const poolSize = 16;
const connectTimeoutMs = 5_000;
/** Enforced by the server, and a little later by us in case the server is silent. */
const statementTimeoutMs = 30_000;
const queryTimeoutMs = 35_000;
const idleInTransactionTimeoutMs = 60_000;
/** A plan made while a table was empty must still serve when it is full: by index, whatever the statistics say. */
const steadyPlans = `
  set plan_cache_mode = force_generic_plan;
  set enable_seqscan = off;
  set enable_hashjoin = off;
  set enable_mergejoin = off`;

/** Opens the database behind DATABASE_URL, else the embedded one of the data folder, and brings it up to date. */
export async function openDatabase(
  config: Pick<Config, "databaseUrl" | "dataDir">,
  log: Logger,
  mode: "own" | "borrow" = "own",
): Promise<Database> {
  if (config.databaseUrl) return connectToUrl(config.databaseUrl, log);
  const server = await startEmbedded({ dataDir: config.dataDir, log, mode });
  try {
    return await connect(server.connection, "embedded", log, () => server.stop());
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function connectToUrl(connectionString: string, log: Logger): Promise<Database> {
  try {
    return await connect({ connectionString }, "server", log);
  } catch (cause) {
    // the message names no user or password
    throw new Error(`The database of DATABASE_URL cannot be opened: ${(cause as Error).message}`, { cause });
  }
}

/** Connects to a running server and migrates it; `stop` is called after the last connection is closed. */
export async function connect(
  server: pg.ClientConfig,
  engine: Database["engine"],
  log: Logger,
  stop: () => Promise<void> = async () => {},
): Promise<Database> {
  const connection = {
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    application_name: "gatehouse",
    ...server,
  };
  await migrateDatabase(connection, log);
  // without listeners, a server that goes away would end the process: `error` of an idle and of a lent client
  const lost = (error: Error) => log.warn({ error: error.message }, "a database connection was lost");
  const openPool = (settings: pg.PoolConfig): pg.Pool => {
    const opened = new pg.Pool({
      Client: Connection,
      ...connection,
      statement_timeout: statementTimeoutMs,
      query_timeout: queryTimeoutMs,
      idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
      ...settings,
    });
    opened.on("error", lost);
    opened.on("connect", (client) => client.on("error", lost));
    return opened;
  };
  const pool = openPool({ max: poolSize });
  const queries = drizzle(pool, { schema });
  const listener = new Listener(connection, log);
  const notifier = new Notifier(connection, log);
  let closed: Promise<void> | null = null;
  return {
    queries,
    pool,
    engine,
    openSteadyPool: (max) =>
      openPool({ max, onConnect: async (client) => void (await client.query(steadyPlans)) }),
    transaction: (run) => queries.transaction(run),
    listen: (channel, notified) => listener.listen(channel, notified),
    isListening: () => listener.isListening(),
    notify: (channel, payload = "") => notifier.notify(channel, payload),
    close() {
      closed ??= (async () => {
        await Promise.all([listener.close(), notifier.close(), pool.end()]);
        await stop();
      })();
      return closed;
    },
  };
}
