import { type Delivery, type DeliveryStatus, retryableDeliveryStatuses } from "#contract/webhook.ts";
import { stopHeader } from "#contract/webhook-constants.ts";
import { audited } from "#gateway/access/accounts/audit.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, inArray, isNull, or, sql } from "#gateway/platform/database/drizzle.ts";
import { webhookDeliveries, webhookEndpoints, webhookEvents } from "#gateway/platform/database/schema.ts";
import { isThere } from "#gateway/platform/database/tables/webhooks.ts";
import { acceptsNow } from "../callbacks.ts";
import { deliveriesChannel, newDelivery } from "../events.ts";
import type { WebhookContext } from "../webhook-context.ts";
import { type DeliveryRow, deliveryNotFound, deliveryView, receivingEndpoint } from "./read.ts";

/**
 * Retries a failed or dead-letter delivery: sends the same event as a new delivery; the model never runs
 * again. If an earlier manual retry of the event is pending, that one is returned, however many callers ask
 * at once. Throws `delivery_not_found`, `delivery_not_retryable`, `endpoint_disabled`, `payload_purged`.
 */
export function retryDelivery(context: WebhookContext, caller: Caller, id: string): Promise<Delivery> {
  return sendAgain(context, caller, id, "retry");
}

/**
 * Sends an event again that the receiver has already accepted, as a new delivery. This is an extension: the
 * specification retries only failed deliveries.
 */
export function resendDelivery(context: WebhookContext, caller: Caller, id: string): Promise<Delivery> {
  return sendAgain(context, caller, id, "resend");
}

const actions = { retry: "webhook_delivery.retried", resend: "webhook_delivery.resent" } as const;

/** The facts that decide whether a delivery may be retried manually. */
interface RetryCandidate {
  status: string;
  endpointStatus: string;
  endpointDeleted: boolean;
  payloadKept: boolean;
}

/** Further facts for the refusal's message. */
interface RefusedCandidate extends RetryCandidate {
  endpointId: string;
  /** Why its endpoint is disabled. */
  disabledReason: string | null;
}

type RefusalCode = "delivery_not_retryable" | "endpoint_disabled" | "payload_purged";

/** Failed deliveries are retried; delivered ones are resent. */
const sendable = { retry: retryableDeliveryStatuses, resend: ["delivered"] } as const satisfies Record<
  string,
  readonly DeliveryStatus[]
>;

type SendingAgain = keyof typeof sendable;

interface StartedRetry {
  /** The delivery to retry. */
  of: string;
  delivery: DeliveryRow;
  /** False if a manual retry of the same event at the same endpoint was already pending. */
  isNew: boolean;
}

async function sendAgain(
  context: WebhookContext,
  caller: Caller,
  id: string,
  what: SendingAgain,
): Promise<Delivery> {
  const { accountId } = caller.actor;
  const delivery = await audited(context, caller, actions[what], async (queries) => {
    const { row, ...candidate } = await lockCandidate(context, queries, { accountId, id });
    const refusal = retryRefusal(candidate, what);
    if (refusal) throw refusedRetry(refusal, candidate, what);
    const [retry] = await startRetries(queries, [row], "manual");
    if (!retry) throw deliveryNotFound(context, id);
    const result = deliveryView(retry.delivery, candidate.endpoint);
    if (!retry.isNew) return { unchanged: result };
    return { target: id, detail: { delivery_id: retry.delivery.id, event_id: row.eventId }, result };
  });
  context.database.notify(deliveriesChannel);
  return delivery;
}

/**
 * Creates a new delivery for each of `originals`, which the caller has locked and found retryable. Ends the
 * originals' own schedules and links each with its retry. The unique index on active retries decides between
 * concurrent callers.
 */
export async function startRetries(
  queries: Queries,
  originals: readonly DeliveryRow[],
  trigger: "manual" | "bulk",
): Promise<StartedRetry[]> {
  const pairs = originals.map((original) => ({
    original,
    retry: newDelivery({
      accountId: original.accountId,
      eventId: original.eventId,
      eventType: original.eventType,
      predictionId: original.predictionId,
      endpointId: original.endpointId,
      url: original.url,
      trigger,
      retryOf: original.id,
    }),
  }));
  if (pairs.length === 0) return [];
  // This comes first: an original that is itself an active retry must leave the unique index before its
  // successor enters.
  await link(
    queries,
    pairs.map(({ original, retry }) => ({ id: original.id, retriedAs: retry.id })),
  );
  const inserted = await queries
    .insert(webhookDeliveries)
    .values(pairs.map(({ retry }) => retry))
    .onConflictDoNothing()
    .returning();
  const made = new Map(inserted.map((row) => [row.retryOf, row]));
  const others = pairs.filter(({ original }) => !made.has(original.id)).map(({ original }) => original);
  const active = await activeRetries(queries, others);
  await link(
    queries,
    others.flatMap((original) => {
      const row = active.get(placeOf(original));
      return row ? [{ id: original.id, retriedAs: row.id }] : [];
    }),
  );
  return originals.flatMap((original) => {
    const row = made.get(original.id) ?? active.get(placeOf(original));
    return row ? [{ of: original.id, delivery: row, isNew: made.has(original.id) }] : [];
  });
}

async function link(queries: Queries, links: { id: string; retriedAs: string }[]): Promise<void> {
  if (links.length === 0) return;
  const ids = sql.param(links.map(({ id }) => id));
  const successors = sql.param(links.map(({ retriedAs }) => retriedAs));
  await queries.execute(
    sql`update webhook_deliveries d set retried_as = l.successor, next_attempt_at = null
        from unnest(${ids}::text[], ${successors}::text[]) as l (id, successor) where d.id = l.id`,
  );
}

async function activeRetries(
  queries: Queries,
  originals: readonly DeliveryRow[],
): Promise<Map<string, DeliveryRow>> {
  if (originals.length === 0) return new Map();
  const rows = await queries
    .select()
    .from(webhookDeliveries)
    .where(
      and(
        inArray(webhookDeliveries.trigger, ["manual", "bulk"]),
        inArray(webhookDeliveries.status, ["pending", "failed"]),
        isNull(webhookDeliveries.retriedAs),
        or(
          ...originals.map(({ eventId, endpointId }) =>
            and(eq(webhookDeliveries.eventId, eventId), eq(webhookDeliveries.endpointId, endpointId)),
          ),
        ),
      ),
    );
  return new Map(rows.map((row) => [placeOf(row), row]));
}

function placeOf({ eventId, endpointId }: Pick<DeliveryRow, "eventId" | "endpointId">): string {
  return `${eventId} ${endpointId}`;
}

/** Why a delivery cannot be sent again; null if it can. */
export function retryRefusal(candidate: RetryCandidate, what: SendingAgain = "retry"): RefusalCode | null {
  if (candidate.status === "waiting" && !candidate.endpointDeleted) return "endpoint_disabled";
  const retryable = (sendable[what] as readonly string[]).includes(candidate.status);
  if (!retryable || candidate.endpointDeleted) return "delivery_not_retryable";
  if (!candidate.payloadKept) return "payload_purged";
  return acceptsNow(candidate.endpointStatus) ? null : "endpoint_disabled";
}

/** The refusal as an error that says what to do. */
function refusedRetry(
  code: RefusalCode,
  candidate: RefusedCandidate,
  what: SendingAgain = "retry",
): ApiError {
  switch (code) {
    case "payload_purged":
      return new ApiError(
        code,
        "The payload was removed after its retention period. Read the prediction instead.",
      );
    case "endpoint_disabled":
      return new ApiError(
        code,
        `${whyWaiting(candidate)} Its deliveries are waiting. To send them, enable it on its page in the console or with PATCH /v1/webhooks/endpoints/${candidate.endpointId} {"status": "enabled"}.`,
      );
    case "delivery_not_retryable":
      return new ApiError(
        code,
        candidate.endpointDeleted
          ? "The endpoint of this delivery was deleted."
          : what === "retry"
            ? `Only failed and dead-letter deliveries can be retried; this one is ${candidate.status}.`
            : `Only delivered events can be sent again here; this one is ${candidate.status}. Use …/retry for one that failed.`,
      );
  }
}

function whyWaiting({ endpointStatus, disabledReason }: RefusedCandidate): string {
  if (endpointStatus === "paused") return "The endpoint is paused.";
  if (disabledReason === "gone")
    return "The endpoint was disabled because its receiver answered 410 Gone several times in a row.";
  if (disabledReason === "stopped")
    return `The endpoint was disabled because its receiver answered with ${stopHeader.name}: ${stopHeader.value}.`;
  if (endpointStatus === "auto-disabled")
    return "The endpoint was disabled because every attempt failed for days.";
  return "The endpoint is disabled.";
}

async function lockCandidate(
  context: WebhookContext,
  queries: Queries,
  { accountId, id }: { accountId: string; id: string },
) {
  const [found] = await queries
    .select({
      row: webhookDeliveries,
      endpoint: receivingEndpoint,
      endpointUrl: webhookEndpoints.url,
      disabledReason: webhookEndpoints.disabledReason,
      isThere: sql<boolean>`${sql.raw(isThere())}`,
      body: webhookEvents.body,
    })
    .from(webhookDeliveries)
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
    .innerJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.eventId))
    .where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.accountId, accountId)))
    .for("update", { of: webhookDeliveries });
  if (!found) throw deliveryNotFound(context, id);
  return {
    row: { ...found.row, url: found.endpoint.status === "callback" ? found.row.url : found.endpointUrl },
    status: found.row.status,
    endpoint: found.endpoint,
    endpointId: found.row.endpointId,
    endpointStatus: found.endpoint.status,
    disabledReason: found.disabledReason,
    endpointDeleted: !found.isThere,
    payloadKept: found.body !== null,
  };
}
