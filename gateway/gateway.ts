import type { AddressInfo } from "node:net";
import type { Districts } from "./districts.ts";
import type { Drain } from "./platform/core/drain.ts";
import { startSweeps } from "./platform/core/sweeps.ts";
import { warnOfEndlessHistory } from "./platform/database/history.ts";
import { keepPartitionsAhead } from "./platform/database/partitions.ts";
import type { WorkerOptions } from "./platform/door.ts";
import type { App } from "./platform/http/app.ts";
import { sharedPort } from "./platform/processes/supervised.ts";
import { buildServer } from "./server.ts";
import type { Stopper } from "./stopper.ts";
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

interface GatewayOptions extends WorkerOptions {
  prepare?: (app: App) => void;
  /** Gets the step that stops the gateway before its start is over. */
  stopper?: Stopper;
}

/**
 * Starts the roles in the settings. Stopping takes no new work and finishes what runs, within `drainMs`; see
 * `Drain`.
 */
export async function startGateway(
  districts: Districts,
  { prepare, stopper, ...workerOptions }: GatewayOptions = {},
): Promise<RunningGateway> {
  const { context } = districts;
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
    const app = await buildServer(districts, prepare);
    servers.push(app);
    await app.listen(Object.assign({ port, host }, sharedPort));
    listening = (app.server.address() as AddressInfo).port;
    parts.push({ stop: () => closeServer(app, context.drain) });
  }
  if (role === "worker" && context.config.metricsPort !== null) {
    const app = await buildWorkerServer(districts);
    servers.push(app);
    await app.listen({ port: context.config.metricsPort, host });
    metricsPort = (app.server.address() as AddressInfo).port;
    // Closed last, so that monitoring can see that this process is stopping.
    lastParts.push({ stop: () => app.close() });
  }
  if (role !== "api") {
    await warnOfEndlessHistory(context, context.history, context.config);
    for (const start of districts.workers) {
      const worker = await start(workerOptions);
      if (worker) parts.push(worker);
    }
    parts.push(startSweeps(context, context.sweeps));
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
