import type { AuditAction } from "#contract/audit.ts";
import type { DisabledReason, EndpointStatus } from "#contract/webhook-constants.ts";
import { recordAudit } from "#gateway/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import { clock } from "#gateway/core/clock.ts";
import { and, eq, inArray, isNull, lte, type SQL } from "#gateway/database/drizzle.ts";
import { webhookEndpoints } from "#gateway/database/schema.ts";
import { holdDeliveries } from "../endpoints/waiting.ts";
import { emitAbout, notifyOfEvents } from "../news/tell.ts";
import type { StopReason } from "./attempt-result.ts";
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
export function autoDisable(context: Context, endpointId: string, failingSince: Date): Promise<void> {
  return disable(context, endpointId, {
    status: "auto-disabled",
    reason: "failing",
    action: "webhook_endpoint.auto_disabled",
    when: and(eq(webhookEndpoints.status, "enabled"), lte(webhookEndpoints.failingSince, failingSince)),
  });
}

/** Disables an endpoint whose receiver asked for no more: by `410 Gone`, or by the header that stops deliveries. */
export function stopEndpoint(context: Context, endpointId: string, reason: StopReason): Promise<void> {
  return disable(context, endpointId, {
    status: "disabled",
    reason,
    action: "webhook_endpoint.stopped",
    when: inArray(webhookEndpoints.status, ["enabled", "paused"]),
  });
}

interface Disabling {
  status: EndpointStatus;
  reason: DisabledReason;
  action: AuditAction;
  when: SQL | undefined;
}

async function disable(
  context: Context,
  endpointId: string,
  { status, reason, action, when }: Disabling,
): Promise<void> {
  const disabled = await context.database.transaction(async (queries) => {
    const [row] = await queries
      .update(webhookEndpoints)
      // Its next success is news, whether somebody was told before that it fails or not.
      .set({ status, disabledReason: reason, failingToldAt: clock.date() })
      .where(and(eq(webhookEndpoints.id, endpointId), isNull(webhookEndpoints.deletedAt), when))
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
