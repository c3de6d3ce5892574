import { firstIdAt, timeOfId } from "#contract/ids.ts";
import type { DeliveryFilter } from "#contract/webhook.ts";
import { type Caller, recordAudit } from "#gateway/access/accounts/audit.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, gte, sql } from "#gateway/platform/database/drizzle.ts";
import { auditLogs } from "#gateway/platform/database/schema.ts";

const action = "webhook_deliveries.retried";

interface Retries {
  runId: string;
  retried: number;
  filter?: DeliveryFilter | undefined;
}

/**
 * One entry of the audit log per bulk retry, however many calls it takes: the first call that retries something writes it, the
 * following ones of the same caller add what they retried and when.
 */
export async function recordRetries(
  queries: Queries,
  { actor, ip, requestId }: Caller,
  { runId, retried, filter }: Retries,
): Promise<void> {
  const { rowCount } = await queries
    .update(auditLogs)
    .set({
      detail: sql`${auditLogs.detail} || jsonb_build_object(
        'retried', (${auditLogs.detail} ->> 'retried')::int + ${retried}::int, 'until', ${new Date(clock.now()).toISOString()}::text)`,
    })
    .where(
      and(
        eq(auditLogs.accountId, actor.accountId),
        // The entry is younger than its run: only the end of the log is read.
        gte(auditLogs.id, firstIdAt("audit", timeOfId(runId))),
        eq(auditLogs.targetId, runId),
        eq(auditLogs.action, action),
        eq(auditLogs.actorId, actor.id),
      ),
    );
  if (rowCount) return;
  await recordAudit(queries, {
    accountId: actor.accountId,
    actor,
    action,
    targetId: runId,
    detail: { retried, ...(filter && { filter }) },
    ip,
    requestId,
  });
}
