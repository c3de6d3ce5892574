import type { Logger } from "pino";
import { instanceId } from "#gateway/platform/core/instance.ts";
import type { Database } from "#gateway/platform/database/database.ts";
import type { Limiter } from "./limiter.ts";
import { keepPresent } from "./presence.ts";
import { Rates } from "./rates.ts";
import { Slots } from "./slots.ts";

/** One sends the rates, the other the slots. */
const connections = 2;
/** A database that does not answer by then is away. */
const queryTimeoutMs = 3_000;

export async function createLimiter(
  database: Pick<Database, "openSteadyPool">,
  log: Logger,
  processId: string = instanceId,
): Promise<Limiter> {
  const pool = database.openSteadyPool(connections, { queryTimeoutMs, isRelaxed: true });
  const leave = await keepPresent(pool, log, processId);
  const rates = new Rates(pool, log);
  const slots = new Slots(pool, log, processId);
  return {
    take: (subject, limit) => rates.take(subject, limit),
    giveBack: (subject, limit) => rates.giveBack(subject, limit),
    reset: (subject, limit) => rates.reset(subject, limit),
    occupy: (subject, places) => slots.occupy(subject, places),
    async close() {
      slots.close();
      await rates.close();
      await leave();
      await pool.end();
    },
  };
}
