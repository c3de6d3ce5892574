import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { Logger } from "pino";
import type { AuditAction } from "#contract/audit.ts";
import type { DisabledReason, EndpointStatus } from "#contract/webhook-constants.ts";
import { recordAudit } from "#gateway/access/accounts/audit.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Sealed } from "#gateway/platform/core/console-secret.ts";
import { counters } from "#gateway/platform/core/counters.ts";
import type { Database } from "#gateway/platform/database/database.ts";
import { and, eq, inArray, lte, type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import { isDatabaseUnavailable } from "#gateway/platform/database/failed-query.ts";
import { webhookAttempts, webhookEndpoints } from "#gateway/platform/database/schema.ts";
import { isListed, type SignatureKey } from "#gateway/platform/database/tables/webhooks.ts";
import { countLoad, deliveryLoad } from "#gateway/platform/figures/load.ts";
import type { Resolve } from "#gateway/platform/network/address-guard.ts";
import { assertCidrs } from "#gateway/platform/network/address-rules.ts";
import { openHeaders } from "../endpoints/own-headers.ts";
import { holdDeliveries } from "../endpoints/read.ts";
import { deliveriesChannel } from "../events.ts";
import { settleRestored } from "../feed.ts";
import { emitAbout, emitExhausted, newsOf, notifyOfEvents, reportEndpoint } from "../news.ts";
import { resealSecrets } from "../reseal-secrets.ts";
import { runResends } from "../resends.ts";
import { purgeSent } from "../retention.ts";
import { createHeaderBox, createPairBox, createSecretBox, openPair } from "../secrets.ts";
import { signingKey } from "../sign.ts";
import type { WebhookContext } from "../webhook-context.ts";
import { type AttemptResult, type AttemptRow, gone, type StopReason } from "./attempt-result.ts";
import { Claimer } from "./claim-deliveries.ts";
import { ClientPool } from "./post-event.ts";
import { createResultQueue } from "./result-queue.ts";
import { saveResults, type TouchedEndpoint } from "./save-results.ts";
import { connectMs, type WorkerSettings, workerSettings } from "./settings.ts";
import { DeliveryWorker, Pacer, SealedCache, Sender } from "./worker.ts";

export interface DeliveryOptions {
  settings?: Partial<WorkerSettings>;
  /** Tests pass their own DNS lookup. */
  resolve?: Resolve;
}

const drainMs = 5000;
/** One connection for claims and one for writes. */
const statementConnections = 2;

/** Every delivery worker of a database holds this advisory lock in shared mode; the number is arbitrary. */
const workersLock = 7_302_114;

/**
 * A worker's presence in the database; it ends with the worker's connection, and so also with its process.
 */
interface Presence {
  leave(): void;
}

/** Starts delivering webhooks in this process. `stop()` releases all leases that it can. */
export async function startDeliveries(
  context: WebhookContext,
  options: DeliveryOptions = {},
): Promise<{ stop(): Promise<void> }> {
  const { config, database, log } = context;
  const { ports, allowCidrs, caFile, timeoutMs } = config.webhooks;
  assertCidrs(allowCidrs);
  if (allowCidrs.length > 0)
    log.warn({ allowCidrs }, "WEBHOOK_ALLOW_CIDRS is set: webhooks may reach these private ranges");
  const settings = workerSettings(timeoutMs, options.settings);
  // All that asks the database comes first: if it goes away, nothing else has been started.
  if (!config.extensions) await enableDisabled(context);
  await settleRestored(database, log);
  const presence = await joinWorkers(database, log);
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
    await purgeSent(context, results);
    for (const { attempt, accountId } of results) {
      if (attempt) counters.deliveryAttempts.inc({ result: attempt.succeeded ? "delivered" : "failed" });
      if (attempt && accountId !== undefined) countLoad({ accountId, operation: deliveryLoad });
    }
    followUp.add(results, touched);
  });
  const box = createSecretBox(config);
  const stopping = new AbortController();
  const resealing = config.previousSecret
    ? resealSecrets(
        database,
        log,
        { box, headerBox: createHeaderBox(config), pairBox: createPairBox(config) },
        stopping.signal,
      ).catch((error: unknown) => log.error({ err: error }, "webhook secrets could not be resealed"))
    : null;
  const headerBox = createHeaderBox(config);
  const keys = new SealedCache((sealed, endpointId) =>
    (JSON.parse(sealed) as Sealed[]).map((secret) => signingKey(box.open(secret, endpointId))),
  );
  const headers = new SealedCache((sealed, endpointId) =>
    openHeaders(headerBox, JSON.parse(sealed) as Sealed, endpointId),
  );
  const pairBox = createPairBox(config);
  const pairs = new SealedCache((sealed, endpointId) =>
    (JSON.parse(sealed) as SignatureKey[]).map((pair) => openPair(pairBox, pair, endpointId)),
  );
  const worker = new DeliveryWorker({
    claimer: new Claimer({ pool: statements, log, settings }),
    sender: new Sender({
      log,
      telemetry: context.telemetry,
      clients,
      keys,
      pairs,
      headers,
      writer,
      webhooks: config.webhooks,
    }),
    writer,
    pacer: new Pacer(context.limiter, log),
    settings,
    drain: context.drain,
  });
  context.drain.count(() => worker.inHand);
  const stopResuming = context.drain.onResume(() => worker.wake());
  const stopListening = await database.listen(deliveriesChannel, () => worker.wake());
  const poll = setInterval(() => worker.wake(), settings.pollMs);
  worker.wake();
  const resends = runResends(database, log);
  return {
    async stop() {
      stopping.abort();
      clearInterval(poll);
      stopResuming();
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

/**
 * Registers this worker in the database. If there is no other, every lease belongs to a dead worker and is
 * ended at once, so that a single process continues after a restart without waiting for leases to expire.
 */
async function joinWorkers(database: Database, log: Logger): Promise<Presence> {
  const client = await database.pool.connect();
  // If this connection breaks, the lock is lost. A worker that starts then can end our leases; at worst a
  // delivery is sent twice.
  client.on("error", (error: Error) => log.debug({ err: error }, "webhooks: presence connection lost"));
  try {
    const alone = await client.query<{ locked: boolean }>("select pg_try_advisory_lock($1) as locked", [
      workersLock,
    ]);
    if (alone.rows[0]?.locked) {
      const freed = await endLeases(client);
      if (freed > 0)
        log.info({ deliveries: freed }, "webhooks: took over the deliveries of the last process");
    }
    await client.query("select pg_advisory_lock_shared($1)", [workersLock]);
    if (alone.rows[0]?.locked) await client.query("select pg_advisory_unlock($1)", [workersLock]);
  } catch (error) {
    client.release(true);
    throw error;
  }
  return { leave: () => client.release(true) };
}

async function endLeases(client: pg.PoolClient): Promise<number> {
  const ended = await client.query(
    `update webhook_deliveries set lease_expires_at = now() - interval '1 millisecond'
     where status in ('pending', 'failed') and next_attempt_at is not null and lease_expires_at > now()`,
  );
  return ended.rowCount ?? 0;
}

interface FollowUp {
  /** Adds pending decisions, and returns before they are made. */
  add(results: readonly AttemptResult[], touched: readonly TouchedEndpoint[]): void;
  /** Finishes the current endpoint. The sweep decides about the others, as after a kill. */
  stop(): Promise<void>;
}

/** The pending decisions about an endpoint. */
interface Waiting {
  stops?: Stop;
  touched?: TouchedEndpoint;
}

/**
 * At most this many endpoints wait. The sweep finds further ones later, as it finds those of a killed
 * process.
 */
const maxWaiting = 10_000;
/** How long to wait while the database is unavailable. */
const retryMs = 500;

/**
 * Decides after saved results whether an endpoint stops, is disabled, or is reported. This runs separately
 * from the writer, one endpoint at a time: hundreds that fail together must not delay the results of others.
 * Each decision has its own transaction; those that a killed process did not make are made at the next
 * result, or by the sweep. Without extensions no endpoint stops or is disabled, and every delivery gets its
 * eight attempts.
 */
function startFollowUp(context: WebhookContext): FollowUp {
  const waiting = new Map<string, Waiting>();
  let isStopped = false;
  let running: Promise<void> | null = null;

  const put = (endpointId: string, more: Waiting): void => {
    const known = waiting.get(endpointId);
    if (known?.stops && more.stops) Object.assign(known, more, { stops: stronger(known.stops, more.stops) });
    else if (known) Object.assign(known, more);
    else if (waiting.size < maxWaiting) waiting.set(endpointId, more);
  };
  const run = async (): Promise<void> => {
    for (const [endpointId, what] of waiting) {
      if (isStopped) return;
      waiting.delete(endpointId);
      try {
        await followEndpoint(context, endpointId, what);
      } catch (error) {
        context.log.warn(
          { err: error, endpoint: endpointId },
          "webhooks: an endpoint could not be followed up",
        );
        if (!isDatabaseUnavailable(error)) continue;
        put(endpointId, { ...what, ...waiting.get(endpointId) });
        await sleep(retryMs);
      }
    }
  };
  const start = (): void => {
    running ??= run().finally(() => {
      running = null;
      if (waiting.size > 0 && !isStopped) start();
    });
  };
  return {
    add(results, touched) {
      for (const { attempt, stops } of results)
        if (attempt && stops && context.config.extensions)
          put(attempt.endpoint_id, { stops: { attempt, reason: stops } });
      for (const endpoint of touched)
        if (hasFollowUp(context, endpoint)) put(endpoint.id, { touched: endpoint });
      if (waiting.size > 0 && !isStopped) start();
    },
    async stop() {
      isStopped = true;
      await running;
    },
  };
}

/**
 * The stop header takes effect at once, so it wins over a 410, which counts only together with earlier ones
 * of the same delivery.
 */
function stronger(one: Stop, other: Stop): Stop {
  if (one.reason !== other.reason) return one.reason === "stopped" ? one : other;
  return other.attempt.number >= one.attempt.number ? other : one;
}

function hasFollowUp(context: WebhookContext, endpoint: TouchedEndpoint): boolean {
  return newsOf(endpoint) !== null || isToDisable(context, endpoint);
}

function isToDisable(
  { config }: WebhookContext,
  endpoint: TouchedEndpoint,
): endpoint is TouchedEndpoint & { failingSince: Date } {
  return config.extensions && shouldAutoDisable(endpoint, config.webhooks.autoDisableAfterMs);
}

async function followEndpoint(
  context: WebhookContext,
  id: string,
  { stops, touched }: Waiting,
): Promise<void> {
  if (stops) await stopEndpoint(context, stops);
  if (!touched) return;
  if (newsOf(touched)) await reportEndpoint(context, id);
  if (isToDisable(context, touched)) await autoDisable(context, id, touched.failingSince);
}

/** Whether all attempts at an endpoint have failed for too long. */
function shouldAutoDisable(
  endpoint: TouchedEndpoint,
  autoDisableAfterMs: number,
): endpoint is TouchedEndpoint & { failingSince: Date } {
  const { status, failingSince } = endpoint;
  return (
    status === "enabled" && failingSince !== null && clock.now() - failingSince.getTime() > autoDisableAfterMs
  );
}

/**
 * Disables an endpoint that always fails; its deliveries wait until somebody enables it again. An endpoint
 * that meanwhile was enabled or succeeded stays enabled.
 */
function autoDisable(context: WebhookContext, endpointId: string, failingSince: Date): Promise<void> {
  return disable(context, endpointId, {
    status: "auto-disabled",
    reason: "failing",
    action: "webhook_endpoint.auto_disabled",
    when: and(eq(webhookEndpoints.status, "enabled"), lte(webhookEndpoints.failingSince, failingSince)),
  });
}

/**
 * Disables an endpoint whose receiver wants no more deliveries: at once after the stop header; after `410
 * Gone` only if several consecutive attempts of a delivery got it, and nothing was accepted meanwhile.
 */
function stopEndpoint(context: WebhookContext, { attempt, reason }: Stop): Promise<void> {
  return disable(context, attempt.endpoint_id, {
    status: "disabled",
    reason,
    action: "webhook_endpoint.stopped",
    when: and(
      inArray(webhookEndpoints.status, ["enabled", "paused"]),
      reason === "gone" ? answeredGone(attempt) : undefined,
    ),
  });
}

interface Stop {
  attempt: AttemptRow;
  reason: StopReason;
}

function answeredGone({ delivery_id, number }: AttemptRow): SQL {
  return sql`exists (
    select from ${webhookAttempts} a
    where a.delivery_id = ${delivery_id} and a.number > ${number - gone.attempts} and a.number <= ${number}
      and a.response_status = ${gone.status} and a.error_code = 'http_4xx'
    having count(distinct a.number) = ${gone.attempts}
      and (${webhookEndpoints.lastSuccessAt} is null or ${webhookEndpoints.lastSuccessAt} < min(a.started_at)))`;
}

/**
 * Without extensions nobody can enable an endpoint again, so none is disabled, and those that the gateway had
 * disabled before are enabled: the sweep sends their waiting deliveries.
 */
async function enableDisabled({ database, log }: WebhookContext): Promise<void> {
  const { rowCount } = await database.queries
    .update(webhookEndpoints)
    .set({ status: "enabled", disabledReason: null })
    .where(
      and(inArray(webhookEndpoints.disabledReason, ["failing", "gone", "stopped"]), sql.raw(isListed())),
    );
  if (rowCount) log.warn({ endpoints: rowCount }, "webhooks: enabled again, since extensions are off");
}

interface Disabling {
  status: EndpointStatus;
  reason: DisabledReason;
  action: AuditAction;
  when: SQL | undefined;
}

async function disable(
  context: WebhookContext,
  endpointId: string,
  { status, reason, action, when }: Disabling,
): Promise<void> {
  const disabled = await context.database.transaction(async (queries) => {
    const [row] = await queries
      .update(webhookEndpoints)
      // The next success of the endpoint is reported, even if its failure was not.
      .set({ status, disabledReason: reason, failingToldAt: clock.date() })
      .where(and(eq(webhookEndpoints.id, endpointId), sql.raw(isListed()), when))
      .returning();
    if (!row) return null;
    await holdDeliveries(queries, endpointId);
    await recordAudit(queries, {
      accountId: row.accountId,
      actor: null,
      action,
      targetId: endpointId,
      detail: {
        url: row.url,
        reason,
        failing_since: row.failingSince?.toISOString(),
        consecutive_failures: row.consecutiveFailures,
      },
    });
    await emitAbout(context, queries, row, "endpoint.disabled");
    return row;
  });
  if (!disabled) return;
  notifyOfEvents(context, [disabled.accountId]);
  context.log.warn({ endpoint: endpointId, reason }, "webhooks: endpoint disabled");
}
