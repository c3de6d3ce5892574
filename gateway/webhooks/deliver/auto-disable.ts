import { and, eq, isNull, lte } from "drizzle-orm";
import { recordAudit } from "#gateway/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import { clock } from "#gateway/core/clock.ts";
import { webhookEndpoints } from "#gateway/database/schema.ts";
import { holdDeliveries } from "../endpoints/waiting.ts";
import type { TouchedEndpoint } from "./save-results.ts";

/** Whether every attempt at an endpoint has failed for too long. */
export function shouldAutoDisable(
  endpoint: TouchedEndpoint,
  autoDisableAfterMs: number,
): endpoint is TouchedEndpoint & { failingSince: Date } {
  const { status, failingSince } = endpoint;
  return (
    status === "enabled" && failingSince !== null && clock.now() - failingSince.getTime() > autoDisableAfterMs
  );
}

/**
 * Disables an endpoint that only fails; its deliveries wait until someone enables it again. One that was
 * enabled or succeeded in the meantime stays enabled.
 */
export async function autoDisable(context: Context, endpointId: string, failingSince: Date): Promise<void> {
  await context.database.transaction(async (queries) => {
    const [row] = await queries
      .update(webhookEndpoints)
      .set({ status: "auto-disabled", disabledReason: "failing" })
      .where(
        and(
          eq(webhookEndpoints.id, endpointId),
          eq(webhookEndpoints.status, "enabled"),
          isNull(webhookEndpoints.deletedAt),
          lte(webhookEndpoints.failingSince, failingSince),
        ),
      )
      .returning();
    if (!row) return;
    await holdDeliveries(queries, endpointId);
    await recordAudit(queries, {
      accountId: row.accountId,
      actor: null,
      action: "webhook_endpoint.auto_disabled",
      targetId: endpointId,
      detail: {
        url: row.url,
        failing_since: row.failingSince?.toISOString(),
        consecutive_failures: row.consecutiveFailures,
      },
    });
    context.log.warn({ endpoint: endpointId }, "webhooks: endpoint disabled, every attempt failed");
  });
}
