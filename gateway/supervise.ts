import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Logger } from "pino";
import { freeAllLeases, freeLeasesOf } from "#gateway/platform/database/free-leases.ts";
import type { Config } from "./platform/core/config.ts";
import { soleHolderLeaseMs } from "./platform/core/leased-loop.ts";
import { openServer } from "./platform/database/server.ts";
import { signOff } from "./platform/limits/presence.ts";
import { Children } from "./platform/processes/children.ts";
import { findPort, type Started } from "./platform/processes/supervised.ts";
import { closeWithinMs, type Stopper } from "./stopper.ts";

/** A process that has not stopped this long after its deadline is killed. */
const graceMs = 1_000;
const queryTimeoutMs = 10_000;
/** The pause before another try to free leases while the database is away. */
const freeAgainMs = 1_000;

/**
 * Runs several processes on one port, on this process's database. The first has the role of the settings, the
 * others are APIs, so that one is the worker.
 */
export async function run(config: Config, log: Logger, stopper: Stopper): Promise<Started> {
  const port = await findPort(config.port, config.host, log);
  const server = await openServer(config, log);
  const pool = new pg.Pool({ ...server.connection, max: 1, query_timeout: queryTimeoutMs });
  pool.on("error", (error) => log.debug({ err: error }, "the supervisor's connection was lost"));
  stopper.add(async () => {
    await pool.end();
    await server.stop();
  });
  if (config.databaseUrl === null) await freeAllLeases(pool);
  const children = new Children({
    count: config.processes,
    log,
    environment: (place) => ({
      GATEWAY_PROCESSES: String(config.processes),
      GATEWAY_HOST: config.host,
      GATEWAY_PORT: String(port),
      GATEWAY_ROLE: place === 0 ? config.role : "api",
      DATABASE_URL: server.url,
      AUTH_SECRET: config.secret,
      MIGRATE: "off",
    }),
    ended: (instance) => freeWhatItHeld(pool, instance),
    stopWithinMs: config.drainMs + closeWithinMs + graceMs,
  });
  stopper.add(() => children.stop());
  return children.start();
}

/** Frees what the ended process had leased. Retries until the longest lease would have expired anyway. */
async function freeWhatItHeld(pool: pg.Pool, instance: string): Promise<void> {
  const endedAt = performance.now();
  for (;;) {
    try {
      await Promise.all([freeLeasesOf(pool, instance), signOff(pool, instance)]);
      return;
    } catch (error) {
      if (performance.now() - endedAt > soleHolderLeaseMs) throw error;
      await sleep(freeAgainMs);
    }
  }
}
