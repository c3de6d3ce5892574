import type { Context } from "#gateway/context.ts";
import { counters } from "#gateway/platform/core/counters.ts";
import type { Sealed } from "#gateway/platform/core/master-secret.ts";
import { assertCidrs } from "#gateway/platform/network/address-rules.ts";
import type { Resolve } from "#gateway/platform/network/resolve.ts";
import { openHeaders } from "../endpoints/own-headers.ts";
import { deliveriesChannel } from "../events.ts";
import { settleRestored } from "../feed/restored.ts";
import { emitExhausted } from "../news/exhausted.ts";
import { notifyOfEvents } from "../news/tell.ts";
import { resealSecrets } from "../reseal-secrets.ts";
import { runResends } from "../resends/run.ts";
import { createHeaderBox, createSecretBox } from "../secrets.ts";
import { signingKey } from "../sign.ts";
import { enableDisabled } from "./auto-disable.ts";
import { Claimer } from "./claimer.ts";
import { ClientPool } from "./client-pool.ts";
import { startFollowUp } from "./follow-up.ts";
import { joinWorkers } from "./only-worker.ts";
import { Pacer } from "./pacer.ts";
import { createResultQueue } from "./result-queue.ts";
import { saveResults } from "./save-results.ts";
import { SealedCache } from "./sealed-cache.ts";
import { Sender } from "./sender.ts";
import { connectMs, type WorkerSettings, workerSettings } from "./settings.ts";
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
  const { ports, allowCidrs, caFile, timeoutMs } = config.webhooks;
  assertCidrs(allowCidrs);
  if (allowCidrs.length > 0)
    log.warn({ allowCidrs }, "WEBHOOK_ALLOW_CIDRS is set: webhooks may reach these private ranges");
  const settings = workerSettings(timeoutMs, options.settings);
  const clients = new ClientPool({
    ports,
    allowCidrs,
    caFile,
    connectTimeoutMs: connectMs(timeoutMs),
    ...(options.resolve && { resolve: options.resolve }),
  });
  const statements = database.openSteadyPool(statementConnections);
  const followUp = startFollowUp(context);
  const writer = createResultQueue(log, async (results) => {
    let told = new Set<string>();
    const touched = await saveResults(statements, results, async (queries, deliveryIds) => {
      told = await emitExhausted(queries, deliveryIds, config.retentionMs);
    });
    if (told.size > 0) notifyOfEvents(context, told);
    for (const { attempt } of results)
      if (attempt) counters.deliveryAttempts.inc({ result: attempt.succeeded ? "delivered" : "failed" });
    followUp.add(results, touched);
  });
  if (!config.extensions) await enableDisabled(context);
  const presence = await joinWorkers(database, log);
  const box = createSecretBox(config);
  const stopping = new AbortController();
  const resealing = config.previousSecret
    ? resealSecrets(database, log, { box, headerBox: createHeaderBox(config) }, stopping.signal).catch(
        (error: unknown) => log.error({ err: error }, "webhook secrets could not be resealed"),
      )
    : null;
  const headerBox = createHeaderBox(config);
  const keys = new SealedCache((sealed, endpointId) =>
    (JSON.parse(sealed) as Sealed[]).map((secret) => signingKey(box.open(secret, endpointId))),
  );
  const headers = new SealedCache((sealed, endpointId) =>
    openHeaders(headerBox, JSON.parse(sealed) as Sealed, endpointId),
  );
  const worker = new DeliveryWorker({
    claimer: new Claimer({ pool: statements, log, settings }),
    sender: new Sender({
      log,
      telemetry: context.telemetry,
      clients,
      keys,
      headers,
      writer,
      webhooks: config.webhooks,
    }),
    writer,
    pacer: new Pacer(context.limiter, log),
    settings,
  });
  const stopListening = await database.listen(deliveriesChannel, () => worker.wake());
  const poll = setInterval(() => worker.wake(), settings.pollMs);
  worker.wake();
  await settleRestored(database, log);
  const resends = runResends(database, log);
  return {
    async stop() {
      stopping.abort();
      clearInterval(poll);
      stopListening();
      await resends.stop();
      await worker.stop();
      await writer.drain(drainMs);
      await followUp.stop();
      clients.close();
      await resealing;
      presence.leave();
      await statements.end();
    },
  };
}
