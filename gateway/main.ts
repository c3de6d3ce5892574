import { pino } from "pino";
import { setUpFromSettings, setupNeeded, setupToken } from "./accounts/setup.ts";
import { type Config, ConfigError, readConfig } from "./config.ts";
import { openDatabase } from "./database/open.ts";
import { startGateway } from "./gateway.ts";
import { closeContext, openContext } from "./open-context.ts";

/** Stopping may take this long before the process gives up on what still runs. */
const stopWithinMs = 15_000;

await main();

async function main(): Promise<void> {
  const config = settingsOrExit();
  const log = pino({
    level: config.logLevel,
    redact: ["req.headers.authorization", "headers.authorization"],
  });
  try {
    const context = await openContext(config, log, await openDatabase(config, log));
    await setUpFromSettings(context);
    const gateway = await startGateway(context);
    console.log(`Gateway ready: http://localhost:${gateway.port ?? config.port}/v1`);
    if (await setupNeeded(context.database.queries))
      console.log(`Set up: ${config.consoleUrl}/setup#${setupToken(config.secret)}`);
    let stopping = false;
    const stop = async (): Promise<void> => {
      if (stopping) return;
      stopping = true;
      setTimeout(() => process.exit(1), stopWithinMs).unref();
      await gateway.stop();
      await closeContext(context);
      process.exit(0);
    };
    process.on("SIGINT", stop);
    process.on("SIGTERM", stop);
  } catch (error) {
    log.fatal({ err: error }, "the gateway could not start");
    console.error(`Gatehouse could not start: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  }
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
