import type { AuditAction } from "#contract/audit.ts";
import type { DisabledReason, EndpointStatus } from "#contract/webhook-constants.ts";
import { recordAudit } from "#gateway/access/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { and, eq, inArray, isNull, lte, type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import { webhookAttempts, webhookEndpoints } from "#gateway/platform/database/schema.ts";
import { holdDeliveries } from "../endpoints/waiting.ts";
import { emitAbout, notifyOfEvents } from "../news/tell.ts";
import { type AttemptRow, gone, type StopReason } from "./attempt-result.ts";
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

/**
 * Disables an endpoint whose receiver asked for no more: at once by the header that stops deliveries, and by `410 Gone` once
 * it was the answer to several attempts of a delivery in a row, and nothing was accepted meanwhile.
 */
export function stopEndpoint(context: Context, { attempt, reason }: Stop): Promise<void> {
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

export interface Stop {
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
 * Without extensions nobody can enable an endpoint again, so none is disabled, and those that the gateway had disabled before are
 * enabled: the sweep sends what waits for them.
 */
export async function enableDisabled({ database, log }: Context): Promise<void> {
  const { rowCount } = await database.queries
    .update(webhookEndpoints)
    .set({ status: "enabled", disabledReason: null })
    .where(
      and(
        inArray(webhookEndpoints.disabledReason, ["failing", "gone", "stopped"]),
        isNull(webhookEndpoints.deletedAt),
      ),
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
