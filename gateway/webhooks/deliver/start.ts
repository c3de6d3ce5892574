import type { Context } from "#gateway/context.ts";
import { counters } from "#gateway/core/counters.ts";
import { assertCidrs } from "#gateway/network/address-rules.ts";
import type { Resolve } from "#gateway/network/resolve.ts";
import { deliveriesChannel } from "../events.ts";
import { resealSecrets } from "../reseal-secrets.ts";
import { createSecretBox } from "../secrets.ts";
import { autoDisable, shouldAutoDisable } from "./auto-disable.ts";
import { Claimer } from "./claimer.ts";
import { ClientPool } from "./client-pool.ts";
import { KeyCache } from "./key-cache.ts";
import { joinWorkers } from "./only-worker.ts";
import { createResultQueue } from "./result-queue.ts";
import { saveResults } from "./save-results.ts";
import { Sender } from "./sender.ts";
import { type WorkerSettings, workerSettings } from "./settings.ts";
import { DeliveryWorker } from "./worker.ts";

export interface DeliveryOptions {
  settings?: Partial<WorkerSettings>;
  /** Tests pass their own DNS lookup. */
  resolve?: Resolve;
}

const drainMs = 5000;
/** One claims, the other writes. */
const statementConnections = 2;

/** Starts delivering webhooks in this process. `stop()` releases every lease that it can. */
export async function startDeliveries(
  context: Context,
  options: DeliveryOptions = {},
): Promise<{ stop(): Promise<void> }> {
  const { config, database, log } = context;
  const { ports, allowCidrs, caFile, timeoutMs, autoDisableAfterMs } = config.webhooks;
  assertCidrs(allowCidrs);
  if (allowCidrs.length > 0)
    log.warn({ allowCidrs }, "WEBHOOK_ALLOW_CIDRS is set: webhooks may reach these private ranges");
  const settings = workerSettings(timeoutMs, options.settings);
  const clients = new ClientPool({
    ports,
    allowCidrs,
    caFile,
    connectTimeoutMs: timeoutMs,
    ...(options.resolve && { resolve: options.resolve }),
  });
  const statements = database.openSteadyPool(statementConnections);
  const writer = createResultQueue(log, async (results) => {
    const touched = await saveResults(statements, results);
    for (const { attempt } of results)
      if (attempt) counters.deliveryAttempts.inc({ result: attempt.succeeded ? "delivered" : "failed" });
    for (const endpoint of touched)
      if (shouldAutoDisable(endpoint, autoDisableAfterMs))
        await autoDisable(context, endpoint.id, endpoint.failingSince);
  });
  const presence = await joinWorkers(database, log);
  const box = createSecretBox(config);
  const stopping = new AbortController();
  const resealing = config.previousSecret
    ? resealSecrets(database, log, box, stopping.signal).catch((error: unknown) =>
        log.error({ err: error }, "webhook secrets could not be resealed"),
      )
    : null;
  const keys = new KeyCache(box);
  const worker = new DeliveryWorker({
    claimer: new Claimer({ pool: statements, log, settings }),
    sender: new Sender({
      log,
      telemetry: context.telemetry,
      clients,
      keys,
      writer,
      webhooks: config.webhooks,
    }),
    writer,
    settings,
  });
  const stopListening = await database.listen(deliveriesChannel, () => worker.wake());
  const poll = setInterval(() => worker.wake(), settings.pollMs);
  worker.wake();
  return {
    async stop() {
      stopping.abort();
      clearInterval(poll);
      stopListening();
      await worker.stop();
      await writer.drain(drainMs);
      clients.close();
      await resealing;
      presence.leave();
      await statements.end();
    },
  };
}
