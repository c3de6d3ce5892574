import {
  type AccountContents,
  type AccountDeletion,
  type AccountDeletionPreview,
  deletionRoutes,
} from "#contract/accounts/account-deletion.ts";
import { deleted } from "#contract/list.ts";
import type { AccessContext } from "#gateway/access/context.ts";
import type { Actor, Caller } from "#gateway/platform/core/actor.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { lockName } from "#gateway/platform/database/account-rows.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, gt, sql } from "#gateway/platform/database/drizzle.ts";
import { accountDeletions } from "#gateway/platform/database/schema.ts";
import { isListed } from "#gateway/platform/database/tables/webhooks.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { accountClosing } from "#gateway/platform/http/not-permitted.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { type AuditEntry, recordAudit } from "../audit.ts";
import { forgetAllCredentials } from "../credentials.ts";
import { accountName, readPeople } from "../people.ts";

export function installDeletion(app: App, context: AccessContext): void {
  const { database, credentials } = context;

  const preview = async ({ accountId }: Actor): Promise<AccountDeletionPreview> => ({
    object: "account_deletion",
    deletion: await readDeletion(database.queries, accountId),
    contents: await contentsOf(database.queries, accountId, previewCountsTo),
    counted_to: previewCountsTo,
  });
  serve(app, context, deletionRoutes, {
    "GET /account/deletion": ({ caller }) => preview(caller.actor),
    "POST /account/deletion": async ({ caller, body }) => {
      await scheduleDeletion(context, caller, body.name);
      return preview(caller.actor);
    },
    "DELETE /account/deletion": async (request) => {
      const { actor, ip, requestId } = request.caller;
      const { accountId } = actor;
      await database.transaction((queries) => cancelDeletion(queries, accountId, { actor, ip, requestId }));
      credentials.forget(accountId);
      return deleted("account_deletion", accountId);
    },
  });
}

/** How long a deletion can be undone. */
const noticeMs = 7 * 86_400_000;

type By = Pick<AuditEntry, "actor" | "ip" | "requestId">;

/**
 * Schedules the deletion of the caller's account in a week. Throws `invalid_parameter` if the name is not the
 * account's, `deletion_scheduled`, `last_operator`.
 */
async function scheduleDeletion(
  { database, credentials }: AccessContext,
  { actor, ip, requestId }: Caller,
  name: string,
): Promise<void> {
  await database.transaction(async (queries) => {
    if ((await accountName(queries, actor.accountId))?.trim() !== name.trim())
      throw invalidParameter("name", "Type the name of the account exactly as it is shown.");
    await orderDeletion(queries, actor.accountId, { actor, ip, requestId });
  });
  credentials.forget(actor.accountId);
}

/**
 * Orders the deletion in the caller's transaction: in a week, or at once for the operator's reason, also if
 * it was scheduled for later. Returns when it begins. Throws `deletion_scheduled`, `deletion_started`,
 * `last_operator`.
 */
export async function orderDeletion(
  queries: Queries,
  accountId: string,
  by: By,
  reason: string | null = null,
): Promise<Date> {
  await assertOperatorRemains(queries, accountId);
  const now = clock.date();
  const dueAt = reason === null ? new Date(now.getTime() + noticeMs) : now;
  const requestedBy = by.actor?.userId ?? by.actor?.id ?? null;
  const order = { requestedBy, requestedAt: now, dueAt, reason };
  const insertion = queries.insert(accountDeletions).values({ accountId, ...order });
  const [ordered] = await (reason === null
    ? insertion.onConflictDoNothing()
    : insertion.onConflictDoUpdate({
        target: accountDeletions.accountId,
        set: order,
        setWhere: gt(accountDeletions.dueAt, now),
      })
  ).returning({ dueAt: accountDeletions.dueAt });
  if (!ordered)
    throw reason === null
      ? new ApiError("deletion_scheduled", "The deletion of this account is already scheduled.")
      : new ApiError("deletion_started", "The deletion of this account has already begun.");
  await recordAudit(queries, {
    accountId,
    ...by,
    action: "account.deletion_scheduled",
    targetId: accountId,
    detail: { due_at: dueAt.toISOString(), ...(reason !== null && { reason }) },
  });
  await forgetAllCredentials(queries);
  return dueAt;
}

/** Cancels a deletion before it begins. Throws `deletion_started`, `deletion_not_scheduled`. */
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

/**
 * At least one operator must be able to use another account afterwards. Call it in the transaction that takes
 * the account away: two of them wait for each other. Throws `last_operator`.
 */
export async function assertOperatorRemains(queries: Queries, accountId: string): Promise<void> {
  await lockName(queries, "operators");
  const { rows } = await queries.execute<{ remains: boolean }>(sql`
    select exists (
      select from users u join members m on m.user_id = u.id join accounts a on a.id = m.account_id
      where u.is_operator and m.account_id <> ${accountId} and a.suspension is null
        and not exists (select from account_deletions d where d.account_id = m.account_id)
    ) as remains`);
  if (rows[0]?.remains) return;
  throw new ApiError(
    "last_operator",
    "Without this account, the installation would have no operator. On the server, make a member of another account an operator with " +
      "`gatehouse operators add`. To remove the whole installation, stop it and delete its data folder.",
  );
}

/** Reads the pending deletion of an account. */
export async function readDeletion(queries: Queries, accountId: string): Promise<AccountDeletion | null> {
  const [row] = await queries
    .select()
    .from(accountDeletions)
    .where(eq(accountDeletions.accountId, accountId));
  if (!row) return null;
  const { requestedBy, requestedAt, dueAt, contents, erasedRows } = row;
  const people = await readPeople(queries, [requestedBy]);
  const rows = contents === null ? 0 : rowsOf(contents);
  return {
    state: dueAt <= clock.date() ? "running" : "scheduled",
    requested_by: people.find(requestedBy),
    requested_at: requestedAt.toISOString(),
    due_at: dueAt.toISOString(),
    progress: rows === 0 ? 0 : Math.min(1, erasedRows / rows),
  };
}

/** Throws `account_closing` if the account's deletion is pending. */
export async function assertNotClosing(queries: Queries, accountId: string): Promise<void> {
  const [row] = await queries
    .select({ dueAt: accountDeletions.dueAt })
    .from(accountDeletions)
    .where(eq(accountDeletions.accountId, accountId));
  if (row) throw accountClosing(row.dueAt);
}

/** A preview stops counting here, so that it is quick for any account. */
const previewCountsTo = 100_000;

/** What an account contains and would lose, each counted up to a limit. */
export async function contentsOf(
  queries: Queries,
  accountId: string,
  countTo: number,
): Promise<AccountContents> {
  const rows = (source: string) =>
    sql`(select count(*)::int from (select from ${sql.raw(source)} and account_id = ${accountId} limit ${countTo}) counted)`;
  const { rows: found } = await queries.execute<AccountContents & Record<string, unknown>>(sql`select
    ${rows("members where true")} as members,
    (select count(*)::int from members m where m.account_id = ${accountId}
      and not exists (select from members o where o.user_id = m.user_id and o.account_id <> m.account_id)) as people,
    ${rows("api_keys where revoked_at is null")} as keys,
    ${rows(`webhook_endpoints where ${isListed()}`)} as endpoints,
    ${rows("invitations where true")} as invitations,
    ${rows("attestations where true")} as attestations,
    ${rows("presets where true")} as presets,
    ${rows("conversations where true")} as conversations,
    ${rows("batches where true")} as batches,
    ${rows("predictions where true")} as predictions,
    ${rows("uploads where true")} as uploads,
    ${rows("webhook_delivery_keys where true")} as deliveries,
    ${rows("request_logs where true")} as requests,
    ${rows("audit_logs where true")} as audit_logs,
    coalesce((select bytes::float8 from account_storage where account_id = ${accountId}), 0) as stored_bytes`);
  const [contents] = found;
  if (!contents) throw new Error("the query that counts an account's contents returned no row");
  return contents;
}

/** The number of rows that are deleted one by one, for the progress display. */
function rowsOf({ predictions, uploads, deliveries, requests, audit_logs }: AccountContents): number {
  return predictions + uploads + deliveries + requests + audit_logs;
}
