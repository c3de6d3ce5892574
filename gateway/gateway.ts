import type { AddressInfo } from "node:net";
import type { Context } from "./context.ts";
import type { App } from "./http/app.ts";
import { startSweeps } from "./jobs/sweeps.ts";
import { startPredictionWorker } from "./predictions/worker.ts";
import { buildServer } from "./server.ts";
import { startDeliveries } from "./webhooks/deliver/start.ts";

/** Requests under way when a stop begins have this long to end. */
const answerWithinMs = 5_000;

export interface RunningGateway {
  /** The port that the API listens on; null for a worker. */
  port: number | null;
  stop(): Promise<void>;
}

/** Starts the roles that the settings name. Stopping takes no new work, ends what runs, then lets go. */
export async function startGateway(context: Context): Promise<RunningGateway> {
  const { role, port } = context.config;
  const parts: { stop(): Promise<void> }[] = [];
  let listening: number | null = null;
  if (role !== "worker") {
    const app = await buildServer(context);
    await app.listen({ port, host: context.config.host });
    listening = (app.server.address() as AddressInfo).port;
    parts.push({ stop: () => closeServer(app) });
  }
  if (role !== "api") {
    parts.push(await startPredictionWorker(context));
    parts.push(await startDeliveries(context));
    parts.push(startSweeps(context));
  }
  return {
    port: listening,
    async stop() {
      for (const part of parts) await part.stop();
    },
  };
}

/** Answers what is under way, then lets go of clients that read nothing: one of them must not hold up a stop. */
async function closeServer(app: App): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), answerWithinMs);
  await app.close();
  clearTimeout(timer);
}
