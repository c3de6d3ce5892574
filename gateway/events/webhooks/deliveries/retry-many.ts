import { firstIdAt, isId, newId, timeOfId } from "#contract/ids.ts";
import {
  type BulkRetry,
  type BulkRetryResult,
  type DeliveryFilter,
  retryableDeliveryStatuses,
} from "#contract/webhook.ts";
import { byCaller, recordAudit } from "#gateway/access/accounts/audit.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import {
  and,
  asc,
  count,
  eq,
  gte,
  inArray,
  isNotNull,
  isNull,
  type SQL,
  sql,
} from "#gateway/platform/database/drizzle.ts";
import {
  auditLogs,
  webhookDeliveries,
  webhookDeliveryKeys,
  webhookEndpoints,
  webhookEvents,
} from "#gateway/platform/database/schema.ts";
import { isReceiving, isThere } from "#gateway/platform/database/tables/webhooks.ts";
import { deliveriesChannel } from "../events.ts";
import type { WebhookContext } from "../webhook-context.ts";
import { deliveriesMatching, keysMatching, namesState } from "./filter.ts";
import { retryRefusal, startRetries } from "./retry.ts";

/** Deliveries that one call retries by default. */
const defaultLimit = 1000;

/**
 * Retries many deliveries: those listed in `ids`, each with its own result, or all that match `filter` and
 * can be retried, up to `limit` per call, oldest first; `has_more` means that the caller should call again.
 * `dry_run` only counts.
 */
export async function retryDeliveries(
  context: WebhookContext,
  caller: Caller,
  input: BulkRetry,
): Promise<BulkRetryResult> {
  const { accountId } = caller.actor;
  const selection = selectionOf(accountId, input);
  const limit = input.limit ?? defaultLimit;
  const runId = input.run_id === undefined ? newId("retryRun") : ongoingRun(input.run_id);
  const { queries } = context.database;
  if (input.dry_run) {
    const counts = await countSelection(queries, selection);
    return answer({ dry_run: true, ...counts, has_more: !input.ids && counts.retryable > limit });
  }
  const result = await context.database.transaction(async (tx) => {
    const counts = await countSelection(tx, selection);
    const found = await lockSelection(tx, selection, limit);
    const refusals = new Map(found.map((one) => [one.row.id, retryRefusal(one)]));
    const started = await startRetries(
      tx,
      found.filter(({ row }) => refusals.get(row.id) === null).map(({ row }) => row),
      "bulk",
    );
    const retries = new Map(started.map((retry) => [retry.of, retry.delivery.id]));
    const ids = input.ids ?? found.map(({ row }) => row.id);
    const retried = started.filter((retry) => retry.isNew).length;
    if (retried > 0) await recordRetries(tx, caller, { runId, retried, filter: input.filter });
    return answer({
      dry_run: false,
      run_id: runId,
      ...counts,
      retried,
      results: ids.map((id) => ({
        id,
        delivery_id: retries.get(id) ?? null,
        code: retries.has(id) ? null : (refusals.get(id) ?? "delivery_not_found"),
      })),
      has_more: !input.ids && counts.retryable > found.length,
    });
  });
  context.database.notify(deliveriesChannel);
  return result;
}

/** After this time, further calls no longer belong to the same run. */
const longestRunMs = 24 * 3_600_000;

/** The id of a run in progress. Throws `invalid_parameter`. */
function ongoingRun(id: string): string {
  const ageMs = isId("retryRun", id) ? clock.now() - timeOfId(id) : Number.NaN;
  if (ageMs < longestRunMs) return id;
  throw invalidParameter("run_id", "Send the run_id of a call from the last 24 hours, or leave it out.");
}

interface Selection {
  /** The deliveries that a call selects. */
  matched: SQL | undefined;
  table: typeof webhookDeliveries | typeof webhookDeliveryKeys;
  /**
   * Restricts a filter to deliveries that can be retried; ids are not restricted, so that each gets its own
   * result.
   */
  locked: SQL | undefined;
}

function selectionOf(accountId: string, { ids, filter, limit }: BulkRetry): Selection {
  if ((ids === undefined) === (filter === undefined))
    throw invalidParameter(ids ? "filter" : "ids", "Send either `ids` or `filter`.");
  if (ids) {
    if (limit !== undefined) throw invalidParameter("limit", "Send `limit` only together with `filter`.");
    const matched = and(eq(webhookDeliveries.accountId, accountId), inArray(webhookDeliveries.id, ids));
    return { matched, table: webhookDeliveries, locked: matched };
  }
  const wanted = filter ?? {};
  const matched = deliveriesMatching(accountId, wanted);
  // Leaves out deliveries that were already retried; otherwise the calls would never end.
  const locked = and(matched, canBeRetried, isNull(webhookDeliveries.retriedAs));
  return namesState(wanted)
    ? { matched, table: webhookDeliveries, locked }
    : { matched: keysMatching(accountId, wanted), table: webhookDeliveryKeys, locked };
}

const canBeRetried = and(
  inArray(webhookDeliveries.status, [...retryableDeliveryStatuses]),
  sql.raw(isReceiving()),
  isNotNull(webhookEvents.body),
);

async function countSelection(queries: Queries, { matched, table, locked }: Selection) {
  const all = await queries.$count(table, matched);
  const [retryable] = await queries
    .select({ rows: count() })
    .from(webhookDeliveries)
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
    .innerJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.eventId))
    .where(and(locked, canBeRetried));
  return { matched: all, retryable: retryable?.rows ?? 0 };
}

async function lockSelection(queries: Queries, { locked }: Selection, limit: number) {
  const rows = await queries
    .select({
      row: webhookDeliveries,
      endpointStatus: webhookEndpoints.status,
      endpointUrl: webhookEndpoints.url,
      isThere: sql<boolean>`${sql.raw(isThere())}`,
      body: isNotNull(webhookEvents.body),
    })
    .from(webhookDeliveries)
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
    .innerJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.eventId))
    .where(locked)
    .orderBy(asc(webhookDeliveries.id))
    .limit(limit)
    .for("update", { of: webhookDeliveries });
  return rows.map(({ row, endpointStatus, endpointUrl, isThere: there, body }) => ({
    row: { ...row, url: endpointStatus === "callback" ? row.url : endpointUrl },
    status: row.status,
    endpointStatus,
    endpointDeleted: !there,
    payloadKept: Boolean(body),
  }));
}

function answer(
  result: Pick<BulkRetryResult, "dry_run" | "matched" | "retryable" | "has_more"> & Partial<BulkRetryResult>,
): BulkRetryResult {
  return { object: "webhook.delivery_retry", run_id: null, retried: 0, results: [], ...result };
}

const action = "webhook_deliveries.retried";

interface Retries {
  runId: string;
  retried: number;
  filter?: DeliveryFilter | undefined;
}

/**
 * One audit entry per bulk retry, however many calls it takes: the first call that retries something writes
 * it, and later calls of the same caller add their number and time.
 */
async function recordRetries(
  queries: Queries,
  caller: Caller,
  { runId, retried, filter }: Retries,
): Promise<void> {
  const { actor } = caller;
  const { rowCount } = await queries
    .update(auditLogs)
    .set({
      detail: sql`${auditLogs.detail} || jsonb_build_object(
        'retried', (${auditLogs.detail} ->> 'retried')::int + ${retried}::int, 'until', ${new Date(clock.now()).toISOString()}::text)`,
    })
    .where(
      and(
        eq(auditLogs.accountId, actor.accountId),
        // The entry is younger than its run, so only the end of the log is read.
        gte(auditLogs.id, firstIdAt("audit", timeOfId(runId))),
        eq(auditLogs.targetId, runId),
        eq(auditLogs.action, action),
        eq(auditLogs.actorId, actor.id),
      ),
    );
  if (rowCount) return;
  await recordAudit(queries, {
    ...byCaller(caller),
    action,
    targetId: runId,
    detail: { retried, ...(filter && { filter }) },
  });
}
