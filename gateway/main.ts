import { fstatSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type DestinationStream, type Logger, pino } from "pino";
import { type Config, readConfig } from "./platform/core/config.ts";
import { problemOfFolder } from "./platform/core/data-folder.ts";
import { instanceId } from "./platform/core/leased-loop.ts";
import { type RetrySchedule, retryWaitMs } from "./platform/core/retry-schedule.ts";
import { ConfigError } from "./platform/core/setting-reader.ts";
import {
  isDatabaseFull,
  isDatabaseUnavailable,
  isUnreachable,
  logOutageOnce,
  messageWithoutParameters,
  serializeError,
} from "./platform/database/failed-query.ts";
import { isSupervised, type Started, tellSupervisor } from "./platform/processes/supervised.ts";
import { isTelemetryWanted } from "./platform/telemetry/telemetry.ts";
import { closeWithinMs, Stopper, superviseWithinMs } from "./stopper.ts";

/**
 * Log lines are written in batches: for a request, one write per line would cost more than making the line.
 * At exit the remaining lines are written. A batch fits into a pipe as a whole, so that lines of several
 * processes do not mix; files take larger batches.
 */
const maxWrite = fstatSync(process.stdout.fd).isFIFO() ? 4096 : 16_384;
const logWrites = {
  fd: process.stdout.fd,
  sync: false,
  minLength: 0.75 * maxWrite,
  maxWrite,
  periodicFlush: 100,
  contentMode: "buffer",
};

/**
 * The log's output. It gets lines as bytes, because with each further text it would join and measure all that wait
 * to be written.
 */
function logOutput(): DestinationStream & { flushSync(): void } {
  const output = pino.destination(logWrites);
  const write = output.write.bind(output) as unknown as (bytes: Buffer) => boolean;
  return {
    write: (line) => void write(Buffer.from(line)),
    flushSync: () => output.flushSync(),
  };
}

/** The waits before another start while the database is away. */
const waits: RetrySchedule = { firstMs: 500, factor: 2, maxMs: 5_000 };

await main();

async function main(): Promise<void> {
  const config = settingsOrExit();
  const isSupervisor = config.processes > 1 && !isSupervised;
  const opened =
    !isSupervisor && !config.quiet && isTelemetryWanted(process.env)
      ? await import("./platform/telemetry/open.ts")
      : null;
  const telemetry = opened?.openTelemetry(process.env) ?? null;
  const destination = logOutput();
  const log = pino(
    {
      level: config.logLevel,
      serializers: { err: serializeError },
      hooks: { logMethod: logOutageOnce() },
      // Paths of nested fields only: telemetry copies the texts and numbers at the top level of a line
      // without this redaction (`telemetry/logs.ts`).
      redact: ["req.headers.authorization", "headers.authorization"],
    },
    telemetry?.withRecords(destination) ?? destination,
  );
  opened?.logProblems(log);
  const withinMs = config.drainMs + (isSupervisor ? superviseWithinMs : closeWithinMs);
  const stopper = new Stopper(withinMs, () => telemetry?.close());
  if (isSupervised) tellSupervisor({ kind: "hello", instance: instanceId });
  try {
    // A supervisor loads few modules, which saves memory.
    const { run } = isSupervisor ? await import("./supervise.ts") : await import("./run.ts");
    const started = await startAgain(log, stopper, () => run(config, log, stopper, telemetry));
    if (isSupervised) return tellSupervisor({ kind: "ready", started });
    console.log(`Gateway ready: ${whereItListens(started)}`);
    if (started.setUp) console.log(`Set up: ${started.setUp}`);
  } catch (error) {
    const isElsewhere = config.databaseUrl !== null && isDatabaseFull(error);
    const problem = isElsewhere ? null : problemOfFolder(config.dataDir, error);
    if (problem === null) log.fatal({ err: error }, "the gateway could not start");
    else log.fatal(`the gateway could not start: ${problem}`);
    console.error(`Gatehouse could not start: ${problem ?? messageWithoutParameters(error)}`);
    await stopper.stop(1);
  }
}

/**
 * Starts again while the database, which this start has reached, goes away. If it was never reached, its
 * address may be wrong, so that ends the start.
 */
async function startAgain(log: Logger, stopper: Stopper, start: () => Promise<Started>): Promise<Started> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await start();
    } catch (error) {
      const wasReached = failures > 1 || isSupervised || !isUnreachable(error);
      if (!wasReached || !isDatabaseUnavailable(error) || isDatabaseFull(error)) throw error;
      log.warn({ err: error }, "the database went away during the start; starting again when it is back");
      await stopper.undo();
      await sleep(retryWaitMs(waits, failures));
    }
  }
}

function whereItListens({ port, metricsPort }: Started): string {
  if (port !== null) return `http://localhost:${port}/v1`;
  if (metricsPort === null) return "a worker, which listens on no port (METRICS_PORT gives it one)";
  return `a worker, with http://localhost:${metricsPort}/readyz, /healthz and /metrics`;
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
