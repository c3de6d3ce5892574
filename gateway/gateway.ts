import type { AddressInfo } from "node:net";
import { startNotices } from "#gateway/events/notices/send.ts";
import { startDeliveries } from "#gateway/events/webhooks/deliver/start.ts";
import { startBatchWorker } from "#gateway/runs/batches/worker.ts";
import { startCopies } from "#gateway/workspace/copies/worker/worker.ts";
import type { Context } from "./context.ts";
import type { Drain } from "./platform/core/drain.ts";
import type { RetrySchedule } from "./platform/core/retry-schedule.ts";
import { startSweeps } from "./platform/core/sweeps.ts";
import { warnOfEndlessHistory } from "./platform/database/history.ts";
import { keepPartitionsAhead } from "./platform/database/partitions.ts";
import type { App } from "./platform/http/app.ts";
import { sharedPort } from "./platform/processes/supervised.ts";
import { type PredictionWorkerOptions, startPredictionWorker } from "./runs/predictions/worker.ts";
import { startResponseWorker } from "./runs/responses/background/worker.ts";
import { buildServer } from "./server.ts";
import type { Stopper } from "./stopper.ts";
import { sweeps } from "./sweeps.ts";
import { buildWorkerServer } from "./worker-server.ts";

/** After the drain time, requests that are being ended have this long to answer. */
const lastAnswerMs = 1_000;

export interface RunningGateway {
  /** The port that the API listens on; null for a worker. */
  port: number | null;
  /** The port of a worker's health checks and metrics; null without one. */
  metricsPort: number | null;
  stop(): Promise<void>;
}

interface GatewayOptions extends PredictionWorkerOptions {
  prepare?: (app: App) => void;
  copyAgain?: RetrySchedule;
  /** Gets the step that stops the gateway before its start is over. */
  stopper?: Stopper;
}

/**
 * Starts the roles in the settings. Stopping takes no new work and finishes what runs, within `drainMs`; see
 * `Drain`.
 */
export async function startGateway(
  context: Context,
  { prepare, copyAgain, stopper, ...predictionOptions }: GatewayOptions = {},
): Promise<RunningGateway> {
  const { role, port, host } = context.config;
  const parts: { stop(): Promise<void> }[] = [];
  const lastParts: { stop(): Promise<void> }[] = [];
  const stop = async (): Promise<void> => {
    context.drain.begin();
    await Promise.all(parts.map((part) => part.stop()));
    await Promise.all(lastParts.map((part) => part.stop()));
  };
  // A start that fails, or is asked to stop, stops what it has started.
  stopper?.add(stop);
  parts.push(await keepPartitionsAhead(context));
  const servers: App[] = [];
  let listening: number | null = null;
  let metricsPort: number | null = null;
  if (role !== "worker") {
    const app = await buildServer(context, prepare);
    servers.push(app);
    await app.listen(Object.assign({ port, host }, sharedPort));
    listening = (app.server.address() as AddressInfo).port;
    parts.push({ stop: () => closeServer(app, context.drain) });
  }
  if (role === "worker" && context.config.metricsPort !== null) {
    const app = await buildWorkerServer(context);
    servers.push(app);
    await app.listen({ port: context.config.metricsPort, host });
    metricsPort = (app.server.address() as AddressInfo).port;
    // Closed last, so that monitoring can see that this process is stopping.
    lastParts.push({ stop: () => app.close() });
  }
  if (role !== "api") {
    await warnOfEndlessHistory(context, context.history, context.config);
    // What deliveries and copies send waits in the database until quiet is taken off. Deliveries are first,
    // because the others' start asks the database for nothing.
    if (!context.config.quiet) parts.push(await startDeliveries(context));
    parts.push(await startPredictionWorker(context, predictionOptions));
    parts.push(await startBatchWorker(context));
    parts.push(await startResponseWorker(context));
    if (!context.config.quiet) parts.push(startCopies(context, copyAgain));
    parts.push(await startNotices(context, { waitFactor: predictionOptions.waitFactor }));
    parts.push(startSweeps(context, sweeps));
  }
  for (const server of servers) server.joinLoadBalancers();
  return { port: listening, metricsPort, stop };
}

/** Finishes running requests. When the time is over, also disconnects clients that read or send nothing. */
async function closeServer(app: App, drain: Drain): Promise<void> {
  drain.onEnd(() => setTimeout(() => app.server.closeAllConnections(), lastAnswerMs));
  await app.leaveLoadBalancers();
  await app.close();
}
