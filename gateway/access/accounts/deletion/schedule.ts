import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, gt, sql } from "#gateway/platform/database/drizzle.ts";
import { accountDeletions, accounts } from "#gateway/platform/database/schema.ts";
import { type AuditEntry, type Caller, recordAudit } from "../audit.ts";
import { forgetAllCredentials } from "../credentials.ts";

/** How long a deletion can be taken back. */
const noticeMs = 7 * 86_400_000;

type By = Pick<AuditEntry, "actor" | "ip" | "requestId">;

/**
 * Orders the deletion of the caller's account, in a week. Throws `invalid_parameter` when the name is not that of the
 * account, `deletion_scheduled`, `last_operator`.
 */
export async function scheduleDeletion(
  { database }: Context,
  { actor, ip, requestId }: Caller,
  name: string,
): Promise<void> {
  await database.transaction(async (queries) => {
    const [account] = await queries
      .select({ name: accounts.name })
      .from(accounts)
      .where(eq(accounts.id, actor.accountId));
    if (account?.name.trim() !== name.trim())
      throw new ApiError("invalid_parameter", "Type the name of the account exactly as it is shown.", {
        param: "name",
      });
    await orderDeletion(queries, actor.accountId, { actor, ip, requestId });
  });
}

/** The same in the caller's transaction, whoever orders it. */
export async function orderDeletion(queries: Queries, accountId: string, by: By): Promise<Date> {
  await assertOperatorRemains(queries, accountId);
  const dueAt = new Date(clock.now() + noticeMs);
  const [ordered] = await queries
    .insert(accountDeletions)
    .values({ accountId, requestedBy: by.actor?.userId ?? null, requestedAt: clock.date(), dueAt })
    .onConflictDoNothing()
    .returning({ dueAt: accountDeletions.dueAt });
  if (!ordered)
    throw new ApiError("deletion_scheduled", "The deletion of this account is already scheduled.");
  await recordAudit(queries, {
    accountId,
    ...by,
    action: "account.deletion_scheduled",
    targetId: accountId,
    detail: { due_at: dueAt.toISOString() },
  });
  await forgetAllCredentials(queries);
  return dueAt;
}

/** Takes the deletion back before it begins. Throws `deletion_started`, `deletion_not_scheduled`. */
export async function cancelDeletion(queries: Queries, accountId: string, by: By): Promise<void> {
  const ofAccount = eq(accountDeletions.accountId, accountId);
  const [canceled] = await queries
    .delete(accountDeletions)
    .where(and(ofAccount, gt(accountDeletions.dueAt, clock.date())))
    .returning();
  if (!canceled) {
    const [begun] = await queries.select().from(accountDeletions).where(ofAccount);
    throw begun
      ? new ApiError("deletion_started", "The deletion has begun, so it cannot be canceled.")
      : new ApiError("deletion_not_scheduled", "No deletion of this account is scheduled.");
  }
  await recordAudit(queries, {
    accountId,
    ...by,
    action: "account.deletion_canceled",
    targetId: accountId,
  });
  await forgetAllCredentials(queries);
}

/** Somebody who runs the installation must be able to sign in afterwards. Throws `last_operator`. */
async function assertOperatorRemains(queries: Queries, accountId: string): Promise<void> {
  const { rows } = await queries.execute<{ remains: boolean }>(sql`
    select exists (
      select from users u join members m on m.user_id = u.id
      where u.is_operator and m.account_id <> ${accountId}
        and not exists (select from account_deletions d where d.account_id = m.account_id)
    ) as remains`);
  if (rows[0]?.remains) return;
  throw new ApiError(
    "last_operator",
    "Nobody who runs this installation belongs to another account. On the server, add somebody who does with " +
      "`gatehouse operators add`; to remove the whole installation, stop it and delete its data folder.",
  );
}
