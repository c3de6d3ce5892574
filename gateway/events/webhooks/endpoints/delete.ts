import { type Deleted, deleted } from "#contract/list.ts";
import { audited } from "#gateway/access/accounts/audit.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { and, eq, inArray, sql } from "#gateway/platform/database/drizzle.ts";
import { webhookDeliveries, webhookEndpoints, webhookSecrets } from "#gateway/platform/database/schema.ts";
import type { WebhookContext } from "../webhook-context.ts";
import { lockEndpoint } from "./find.ts";

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
