import type { AuditAction } from "#contract/audit.ts";
import type { Connection, ConnectionUpdate } from "#contract/connections.ts";
import type { Deleted } from "#contract/list.ts";
import { type Caller, recordAudit } from "#gateway/access/accounts/audit.ts";
import { lockKeys } from "#gateway/access/accounts/keys/made-keys.ts";
import { lockKey } from "#gateway/access/accounts/keys/whose.ts";
import { checkedBudgets } from "#gateway/billing/budgets/check.ts";
import type { Context } from "#gateway/context.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { apiKeys } from "#gateway/platform/database/schema.ts";
import { assertEnd } from "./consent.ts";
import { readConnection } from "./list.ts";

/**
 * Changes the budgets or the end of a connection, effective within a second in every process. Throws `connection_not_found`, and as
 * `assertEnd` and `checkedBudgets`.
 */
export async function updateConnection(
  context: Context,
  caller: Caller,
  id: string,
  input: ConnectionUpdate,
): Promise<Connection> {
  const { monthly_budget: monthlyBudget, budgets, expires_at: end } = input;
  if (end !== undefined) assertEnd(end);
  await context.meter.flush();
  await change(context, caller, id, "connection.updated", input, {
    ...(monthlyBudget !== undefined && { monthlyBudget }),
    ...(budgets !== undefined && { budgets: checkedBudgets(budgets, context.config.currency) }),
    ...(end !== undefined && { expiresAt: new Date(end) }),
  });
  return readConnection(context, caller.actor, id);
}

/** Ends a connection: its tokens are refused at once in this process, within a second in others. Throws `connection_not_found`. */
export async function revokeConnection(context: Context, caller: Caller, id: string): Promise<Deleted> {
  await change(context, caller, id, "connection.revoked", {}, { revokedAt: clock.date() });
  return { id, object: "connection", deleted: true };
}

async function change(
  context: Context,
  { actor, ip, requestId }: Caller,
  id: string,
  action: AuditAction,
  detail: object,
  set: Partial<typeof apiKeys.$inferInsert>,
): Promise<void> {
  const { accountId } = actor;
  await context.database.transaction(async (queries) => {
    await lockKeys(queries, accountId);
    const { name } = await lockKey(queries, actor, id, "mcp");
    await queries.update(apiKeys).set(set).where(eq(apiKeys.id, id));
    const entry = { accountId, actor, action, targetId: id, detail: { name, ...detail }, ip, requestId };
    await recordAudit(queries, entry);
  });
  context.credentials.forget(id);
}
