import { readFileSync } from "node:fs";
import { pino } from "pino";
import type { Context } from "#gateway/districts.ts";
import { createDrain } from "#gateway/platform/core/drain.ts";
import { connect } from "#gateway/platform/database/open.ts";
import { createLimiter } from "#gateway/platform/limits/create-limiter.ts";
import { startDeliveries } from "../deliver/start.ts";

/**
 * A delivery worker in its own process, so that a test can kill it. Its only argument is the path of a
 * settings file.
 */
const { config, connection, settings } = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));
const log = pino({ level: "silent" });
const database = await connect(connection, log);
const limiter = await createLimiter(database, log);
await startDeliveries({ config, log, database, limiter, drain: createDrain(config.drainMs) } as Context, {
  settings,
});
process.send?.("ready");
