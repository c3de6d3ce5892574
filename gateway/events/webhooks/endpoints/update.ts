import { type Deleted, deleted } from "#contract/list.ts";
import type { Delivery, Endpoint, EndpointUpdate } from "#contract/webhook.ts";
import { audited } from "#gateway/access/accounts/audit.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { MasterSecret } from "#gateway/platform/core/console-secret.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, inArray, sql } from "#gateway/platform/database/drizzle.ts";
import { webhookDeliveries, webhookEndpoints, webhookSecrets } from "#gateway/platform/database/schema.ts";
import { tooManyRequests } from "#gateway/platform/http/limits.ts";
import type { Limit } from "#gateway/platform/limits/limiter.ts";
import { deliveryView } from "../deliveries/read.ts";
import { deliveriesChannel, emitEvent, eventsChannel } from "../events.ts";
import { emitAbout, notifyOfEvents } from "../news.ts";
import { createHeaderBox, livePairs, newKeyPair } from "../secrets.ts";
import type { WebhookContext } from "../webhook-context.ts";
import { checkedEndpointUrl } from "./create.ts";
import { sealedHeaders } from "./own-headers.ts";
import {
  conditionOf,
  type EndpointRow,
  endpointNotFound,
  endpointView,
  filterColumns,
  holdDeliveries,
  liveSecrets,
  lockEndpoint,
  resumeDeliveries,
} from "./read.ts";

type Changes = Partial<typeof webhookEndpoints.$inferInsert>;

/**
 * Changes an endpoint. While it is paused or disabled its deliveries wait. When it is enabled they are sent
 * at once, or dropped if `waiting` says so; after it was disabled the failure count restarts at 0. Throws
 * `endpoint_not_found`, `invalid_webhook_url`, `invalid_parameter`.
 */
export async function updateEndpoint(
  context: WebhookContext,
  caller: Caller,
  id: string,
  input: EndpointUpdate,
): Promise<Endpoint> {
  const { accountId } = caller.actor;
  if (input.waiting !== undefined && input.status !== "enabled")
    throw invalidParameter("waiting", "Send `waiting` only together with `status` enabled.");
  const { url, ...warned } =
    input.url === undefined ? {} : await checkedEndpointUrl(context.config, input.url);
  const { row, resumed } = await audited(context, caller, "webhook_endpoint.updated", async (queries) => {
    const before = await lockEndpoint(queries, accountId, id);
    const changes: Changes = {
      ...(url !== undefined && { url }),
      ...(input.description !== undefined && { description: input.description }),
      ...(input.events !== undefined && { events: input.events }),
      ...(input.rate_per_second !== undefined && { ratePerSecond: input.rate_per_second }),
      ...(input.headers !== undefined && {
        headers: sealedHeaders(createHeaderBox(context.config), id, input.headers, before.headers),
      }),
      ...pairChanges(context.config, before, input.ed25519),
      ...(await filterColumns(queries, accountId, input)),
      ...statusChanges(before, input.status),
    };
    if (Object.keys(changes).length === 0) return { unchanged: { row: before, resumed: null } };
    const [after] = await queries
      .update(webhookEndpoints)
      .set(changes)
      .where(eq(webhookEndpoints.id, id))
      .returning();
    if (!after) throw endpointNotFound();
    if (changes.status !== undefined && changes.status !== "enabled") await holdDeliveries(queries, id);
    const resumed = changes.status === "enabled" ? await resume(queries, id, input.waiting ?? "send") : null;
    const {
      url: newUrl,
      headers,
      keyIds: keys,
      ratePerSecond: rate_per_second,
      signatureKeys,
      ...others
    } = changes;
    const { description, events, status, models } = others;
    const names = headers === undefined ? undefined : (headers?.names ?? []);
    if (changes.status === "disabled") await emitAbout(context, queries, after, "endpoint.disabled");
    return {
      target: id,
      detail: JSON.parse(
        JSON.stringify({
          url: newUrl,
          description,
          events,
          headers: names,
          rate_per_second,
          ed25519: signatureKeys === undefined ? undefined : signatureKeys !== null,
          models,
          keys,
          status,
          ...countsOf(resumed),
        }),
      ),
      result: { row: after, resumed },
    };
  });
  if (row.status === "enabled") context.database.notify(deliveriesChannel);
  if (row.status === "disabled") notifyOfEvents(context, [accountId]);
  const { queries } = context.database;
  const [secrets, more] = await Promise.all([liveSecrets(queries, [id]), conditionOf(queries, [row])]);
  return endpointView(row, secrets.get(id) ?? [], {
    ...more.get(id),
    ...(resumed && { resumed }),
    ...warned,
  });
}

/** Switching pairs on keeps an existing pair. To replace it at once, switch pairs off and on again. */
function pairChanges(config: MasterSecret, before: EndpointRow, wanted: boolean | undefined): Changes {
  const has = livePairs(before.signatureKeys, clock.now()).length > 0;
  if (wanted === undefined || wanted === has) return {};
  return { signatureKeys: wanted ? [newKeyPair(config, before.id)] : null };
}

type Resumed = NonNullable<Endpoint["resumed"]>;

async function resume(queries: Queries, id: string, action: Resumed["action"]): Promise<Resumed> {
  return { action, deliveries: await resumeDeliveries(queries, id, action) };
}

function countsOf(resumed: Resumed | null): Record<string, number> {
  if (!resumed || resumed.deliveries === 0) return {};
  return resumed.action === "send"
    ? { sent_deliveries: resumed.deliveries }
    : { dropped_deliveries: resumed.deliveries };
}

function statusChanges(before: EndpointRow, status: EndpointUpdate["status"]): Changes {
  if (status === undefined || status === before.status) return {};
  if (status === "disabled") return { status, disabledReason: "manual" };
  // Resuming from a pause keeps the failure count.
  if (before.status === "enabled" || before.status === "paused") return { status, disabledReason: null };
  return {
    ...{ status, disabledReason: null, consecutiveFailures: 0, failingSince: null },
    // The failure was reported before, so the next success is reported as the recovery.
    ...(before.failingToldAt && { failingToldAt: clock.date() }),
  };
}

/**
 * Deletes an endpoint: its unsent deliveries are canceled, its log stays. Throws `endpoint_not_found`. A
 * delivery whose result is being written is left to the sweep, because the writer locks deliveries first and
 * endpoints last.
 */
export async function deleteEndpoint(context: WebhookContext, caller: Caller, id: string): Promise<Deleted> {
  const { accountId } = caller.actor;
  return audited(context, caller, "webhook_endpoint.deleted", async (queries) => {
    const row = await lockEndpoint(queries, accountId, id);
    await queries
      .update(webhookEndpoints)
      .set({ deletedAt: sql`now()`, status: "disabled" })
      .where(eq(webhookEndpoints.id, id));
    const waiting = queries
      .select({ id: webhookDeliveries.id })
      .from(webhookDeliveries)
      .where(
        and(
          eq(webhookDeliveries.accountId, accountId),
          eq(webhookDeliveries.endpointId, id),
          inArray(webhookDeliveries.status, ["pending", "waiting", "failed"]),
        ),
      )
      .for("update", { skipLocked: true });
    const canceled = await queries
      .update(webhookDeliveries)
      // A delivery in flight keeps its lease: its attempt is counted, and a success still makes it delivered.
      .set({ status: "canceled", nextAttemptAt: null })
      .where(inArray(webhookDeliveries.id, waiting));
    await queries.delete(webhookSecrets).where(eq(webhookSecrets.endpointId, id));
    return {
      target: id,
      detail: { url: row.url, canceled_deliveries: canceled.rowCount ?? 0 },
      result: deleted("webhook.endpoint", id),
    };
  });
}

/** Per endpoint, because each test is a request to a server that may not belong to the account. */
const tests: Limit = { name: "endpoint tests", count: 60, periodMs: 60_000 };

/**
 * Sends a test event to one endpoint, like any other delivery. Throws `endpoint_not_found`, `endpoint_disabled`,
 * `rate_limit_exceeded`.
 */
export async function sendTest(context: WebhookContext, caller: Caller, id: string): Promise<Delivery> {
  const { accountId } = caller.actor;
  const taken = await context.limiter.take(`${accountId} ${id}`, tests);
  if (!taken.allowed)
    throw tooManyRequests(`An endpoint accepts at most ${tests.count} tests a minute.`, taken);
  const delivery = await audited(context, caller, "webhook_endpoint.tested", async (queries) => {
    const endpoint = await lockEndpoint(queries, accountId, id);
    if (endpoint.status !== "enabled")
      throw new ApiError(
        "endpoint_disabled",
        `Enable this endpoint first: nothing is sent while it is ${endpoint.status === "paused" ? "paused" : "disabled"}.`,
      );
    const event = await emitEvent(queries, {
      accountId,
      type: "endpoint.test",
      subject: { endpointId: id },
      object: { id, object: "webhook.endpoint", url: endpoint.url, message: "This is a test event." },
      retentionUntil: new Date(clock.now() + context.config.retentionMs),
    });
    const [row] = await queries
      .select()
      .from(webhookDeliveries)
      .where(inArray(webhookDeliveries.id, event?.deliveryIds ?? []));
    if (!row) throw new Error("The test delivery was not inserted");
    return { target: id, detail: { delivery_id: row.id }, result: deliveryView(row, endpoint) };
  });
  context.database.notify(deliveriesChannel);
  context.database.notify(eventsChannel, accountId);
  return delivery;
}
