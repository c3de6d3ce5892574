import type { Resend } from "#contract/resends.ts";
import { type Caller, recordAudit } from "#gateway/access/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { and, eq } from "#gateway/platform/database/drizzle.ts";
import { webhookResends } from "#gateway/platform/database/schema.ts";
import { getResend } from "./read.ts";

/** Stops a run: nothing more is queued. One that has ended stays as it is. Throws `resend_not_found`. */
export async function stopResend(context: Context, caller: Caller, id: string): Promise<Resend> {
  const { accountId } = caller.actor;
  await context.database.transaction(async (queries) => {
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
    if (!row) return;
    await recordAudit(queries, {
      accountId,
      actor: caller.actor,
      action: "webhook_resend.stopped",
      targetId: row.endpointId,
      detail: { resend_id: id, queued: row.sent, total: row.total },
      ip: caller.ip,
      requestId: caller.requestId,
    });
  });
  return getResend(context, accountId, id);
}
