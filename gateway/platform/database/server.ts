import pg from "pg";
import type { Logger } from "pino";
import { commandLine } from "#gateway/platform/core/command-line.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import type { Queries } from "./database.ts";
import { drizzle } from "./drizzle.ts";
import { startEmbedded } from "./embedded/embedded.ts";
import { migrateDatabase, pendingMigrations } from "./migrate.ts";
import * as schema from "./schema.ts";

const connectTimeoutMs = 5_000;
/**
 * The connections of one process: its pool, and a few more for limits, deliveries, notifications and probes.
 */
const connectionsPerProcess = 25;

/** A PostgreSQL server to connect to: the embedded one, or the one behind DATABASE_URL. */
export interface Server {
  connection: pg.ClientConfig;
  /** The DATABASE_URL for other processes on this machine. */
  url: string;
  /** Sets what is called when the embedded server cannot start again on a full disk. */
  onDiskFull(call: () => void): void;
  /** Call it when the server is no longer needed. Stops the embedded server, unless it was borrowed. */
  stop(): Promise<void>;
}

type ServerConfig = Pick<Config, "databaseUrl" | "dataDir"> &
  Partial<Pick<Config, "processes" | "postgresBinDir">>;

/**
 * Opens the configured server with its migrations applied; with MIGRATE=off they must have been applied
 * before.
 */
export async function openServer(
  config: ServerConfig & Pick<Config, "migrate">,
  log: Logger,
  mode: "own" | "borrow" = "own",
): Promise<Server> {
  return withServer(config, log, mode, async (server) => {
    await (config.migrate ? migrateDatabase : assertMigrated)(server.connection, log);
    return server;
  });
}

/** Applies missing migrations, or with `check` only lists them; returns their names. */
export async function migrateServer(config: ServerConfig, log: Logger, check: boolean): Promise<string[]> {
  return withServer(config, log, "borrow", async (server) => {
    const names = await (check ? pendingMigrations : migrateDatabase)(server.connection, log);
    await server.stop();
    return names;
  });
}

/** What a look at the configured server shows. */
export interface ServerSight {
  /** PostgreSQL's version, such as `18.4`. */
  version: string;
  /** The migrations that it lacks. With any of them, `queries` may not fit its schema. */
  pending: string[];
  /** The server's settings by name. */
  settings: Record<string, string>;
  /** The server's clock, in ms. */
  now: number;
  queries: Queries;
}

/** Looks at the configured server as it is: applies no migration. Stops it again if it did not run. */
export async function inspectServer<Result>(
  config: ServerConfig,
  log: Logger,
  inspect: (sight: ServerSight) => Promise<Result>,
): Promise<Result> {
  return withServer(config, log, "borrow", async (server) => {
    const pending = await pendingMigrations(server.connection, log);
    const client = new pg.Client(server.connection);
    await client.connect();
    try {
      const { rows } = await client.query<{ name: string; setting: string }>(
        "select name, setting from pg_settings",
      );
      const settings = Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
      const clock = await client.query<{ ms: string }>(
        "select extract(epoch from clock_timestamp()) * 1000 as ms",
      );
      return await inspect({
        version: settings.server_version ?? "",
        pending,
        settings,
        now: Number(clock.rows[0]?.ms),
        queries: drizzle(client, { schema }),
      });
    } finally {
      await client.end();
      await server.stop();
    }
  });
}

async function assertMigrated(connection: pg.ClientConfig, log: Logger): Promise<void> {
  const pending = await pendingMigrations(connection, log);
  if (pending.length > 0)
    throw new Error(`it lacks ${pending.join(", ")}, and MIGRATE is off. Run "${commandLine} migrate" first`);
}

/**
 * Runs `use` on the server. `use` must stop the server when it no longer needs it; if `use` throws, this
 * function stops it.
 */
async function withServer<Result>(
  config: ServerConfig,
  log: Logger,
  mode: "own" | "borrow",
  use: (server: Server) => Promise<Result>,
): Promise<Result> {
  const { databaseUrl: url, dataDir, processes = 1, postgresBinDir: binDir = null } = config;
  if (url) {
    try {
      return await use({
        connection: withDefaults({ connectionString: url }),
        url,
        onDiskFull: () => {},
        stop: async () => {},
      });
    } catch (cause) {
      // pg's own message for the failure contains no user name or password.
      throw new Error(`The database of DATABASE_URL cannot be opened: ${(cause as Error).message}`, {
        cause,
      });
    }
  }
  // One process more than configured, for a process that is just ending, or for a command.
  const connections = connectionsPerProcess * (processes + 1);
  const embedded = await startEmbedded({ dataDir, log, mode, connections, binDir });
  const { connection, stop } = embedded;
  const { user, database, host } = connection;
  try {
    return await use({
      connection: withDefaults(connection),
      url: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`,
      onDiskFull(call) {
        embedded.diskIsFull = call;
      },
      stop,
    });
  } catch (error) {
    await stop();
    throw error;
  }
}

export function withDefaults(connection: pg.ClientConfig): pg.ClientConfig {
  return {
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    application_name: "gatehouse",
    ...connection,
  };
}
