import { pino } from "pino";
import { setUpFromSettings, setupNeeded, setupToken } from "./accounts/setup.ts";
import { type Config, ConfigError, readConfig } from "./core/config.ts";
import { messageWithoutParameters, serializeError } from "./database/failed-query.ts";
import { followDatabaseClock } from "./database/follow-clock.ts";
import { openDatabase } from "./database/open.ts";
import { startGateway } from "./gateway.ts";
import { closeContext, openContext } from "./open-context.ts";

/** What a stop may take beyond the drain: last writes, the database. */
const closeWithinMs = 10_000;
/** Log lines are written together, since a write for each costs a request more than its line; an exit writes the last. */
const logWrites = { fd: process.stdout.fd, sync: false, minLength: 4096, periodicFlush: 100 };

await main();

async function main(): Promise<void> {
  const config = settingsOrExit();
  const log = pino(
    {
      level: config.logLevel,
      serializers: { err: serializeError },
      redact: ["req.headers.authorization", "headers.authorization"],
    },
    pino.destination(logWrites),
  );
  const stopper = stopOnSignal(config.drainMs + closeWithinMs);
  try {
    const database = await openDatabase(config, log);
    stopper.add(() => database.close());
    await followDatabaseClock(database, log);
    const context = await openContext(config, log, database);
    stopper.replace(() => closeContext(context));
    await setUpFromSettings(context);
    const gateway = await startGateway(context);
    stopper.add(() => gateway.stop());
    console.log(`Gateway ready: http://localhost:${gateway.port ?? config.port}/v1`);
    if (await setupNeeded(context.database.queries))
      console.log(`Set up: ${config.consoleUrl}/setup#${setupToken(config)}`);
  } catch (error) {
    log.fatal({ err: error }, "the gateway could not start");
    console.error(`Gatehouse could not start: ${messageWithoutParameters(error)}`);
    await stopper.stop(1);
  }
}

/** Stops everything in the reverse order of its start; a signal may arrive at any moment, also during the start. */
function stopOnSignal(withinMs: number) {
  let steps: (() => Promise<void>)[] = [];
  let stopping = false;
  const stop = async (code: number): Promise<void> => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), withinMs).unref();
    for (const step of steps.toReversed()) await step();
    process.exit(code);
  };
  process.on("SIGINT", () => stop(0));
  process.on("SIGTERM", () => stop(0));
  return {
    add: (step: () => Promise<void>) => void steps.push(step),
    replace: (step: () => Promise<void>) => {
      steps = [step];
    },
    stop,
  };
}

function settingsOrExit(): Config {
  try {
    return readConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(`Gatehouse cannot start: ${error.message}`);
    process.exit(2);
  }
}
