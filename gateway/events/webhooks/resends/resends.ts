import type { List, PageQuery } from "#contract/list.ts";
import type { Resend } from "#contract/resends.ts";
import { audited } from "#gateway/access/accounts/audit.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { readPage } from "#gateway/platform/database/account-rows.ts";
import { and, eq } from "#gateway/platform/database/drizzle.ts";
import { keyset } from "#gateway/platform/database/keyset.ts";
import { webhookEndpoints, webhookResends } from "#gateway/platform/database/schema.ts";
import { endpointNotFound, ownEndpoint } from "../endpoints/find.ts";
import type { WebhookContext } from "../webhook-context.ts";
import type { ResendRow } from "./selection.ts";

function resendNotFound(): ApiError {
  return new ApiError("resend_not_found", "There is no such resend.");
}

/** One run. Throws `resend_not_found`. */
export async function getResend(
  { database }: WebhookContext,
  accountId: string,
  id: string,
): Promise<Resend> {
  const [found] = await database.queries
    .select({ row: webhookResends, status: webhookEndpoints.status })
    .from(webhookResends)
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookResends.endpointId))
    .where(and(eq(webhookResends.id, id), eq(webhookResends.accountId, accountId)));
  if (!found) throw resendNotFound();
  return resendView(found.row, found.status);
}

/** The runs of an endpoint, newest first. Throws `endpoint_not_found`. */
export async function listResends(
  { database }: WebhookContext,
  accountId: string,
  endpointId: string,
  query: PageQuery,
): Promise<List<Resend & { id: string }>> {
  const { queries } = database;
  const [endpoint] = await queries.select().from(webhookEndpoints).where(ownEndpoint(accountId, endpointId));
  if (!endpoint) throw endpointNotFound();
  const page = keyset("resend", webhookResends.id, query, [
    eq(webhookResends.accountId, accountId),
    eq(webhookResends.endpointId, endpointId),
  ]);
  return readPage(queries, page, queries.select().from(webhookResends).$dynamic(), (rows) =>
    rows.map((row) => resendView(row, endpoint.status)),
  );
}

/** A run in the API's form. */
export function resendView(row: ResendRow, endpointStatus: string): Resend & { id: string } {
  return {
    id: row.id,
    object: "webhook.resend",
    endpoint_id: row.endpointId,
    status: row.status,
    since: row.since.toISOString(),
    until: row.until.toISOString(),
    types: row.types,
    include: row.include,
    rate_per_second: row.ratePerSecond,
    total: row.total,
    queued: row.sent,
    gone: row.gone,
    waits_for: row.status === "running" && endpointStatus !== "enabled" ? "endpoint" : null,
    created_at: row.createdAt.toISOString(),
    finished_at: row.finishedAt?.toISOString() ?? null,
  };
}

/** Stops a run: nothing more is queued. A run that has ended stays unchanged. Throws `resend_not_found`. */
export async function stopResend(context: WebhookContext, caller: Caller, id: string): Promise<Resend> {
  const { accountId } = caller.actor;
  await audited(context, caller, "webhook_resend.stopped", async (queries) => {
    const [row] = await queries
      .update(webhookResends)
      .set({ status: "stopped", finishedAt: clock.date() })
      .where(
        and(
          eq(webhookResends.id, id),
          eq(webhookResends.accountId, accountId),
          eq(webhookResends.status, "running"),
        ),
      )
      .returning();
    if (!row) return { unchanged: null };
    const { endpointId, sent, total } = row;
    return { target: endpointId, detail: { resend_id: id, queued: sent, total }, result: null };
  });
  return getResend(context, accountId, id);
}
