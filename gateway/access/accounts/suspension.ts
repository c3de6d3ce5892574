import { deleted } from "#contract/list.ts";
import {
  type AccountSuspension,
  type DeletionNow,
  type DeletionRecord,
  operatorAccountStateRoutes,
  type SuspensionCreate,
} from "#contract/operator/account-state.ts";
import type { AccessContext } from "#gateway/access/context.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { accounts } from "#gateway/platform/database/schema.ts";
import type { Suspension } from "#gateway/platform/database/tables/accounts.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { accountSuspended } from "#gateway/platform/http/not-permitted.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { type AuditEntry, recordAudit } from "./audit.ts";
import { forgetAllCredentials } from "./credentials.ts";
import { listDeletions, readDeletionRecord } from "./deletion/certificate.ts";
import { assertOperatorRemains, orderDeletion } from "./deletion/deletion.ts";
import { noSuchAccount } from "./limits.ts";

/** For operators: suspends accounts, deletes them at once, and keeps what was removed with them. */
export function installSuspension(app: App, context: AccessContext): void {
  const { database, credentials } = context;
  serve(app, context, operatorAccountStateRoutes, {
    "POST /operator/accounts/{id}/suspension": ({ caller, params, body }) =>
      suspendByCaller(context, caller, params.id, body),
    "DELETE /operator/accounts/{id}/suspension": async ({ caller, params }) => {
      const { actor, ip, requestId } = caller;
      await database.transaction((queries) => liftSuspension(queries, params.id, { actor, ip, requestId }));
      credentials.forget(params.id);
      return deleted("operator.account_suspension", params.id);
    },
    "POST /operator/accounts/{id}/deletion": ({ caller, params, body }) =>
      deleteByCaller(context, caller, params.id, body),
    "GET /operator/deletions": ({ query }) => listDeletions(context, query),
    "GET /operator/deletions/{id}": ({ params }) => readDeletionRecord(database.queries, params.id),
  });
}

type By = Pick<AuditEntry, "actor" | "ip" | "requestId">;

async function suspendByCaller(
  { database, credentials }: AccessContext,
  { actor, ip, requestId }: Caller,
  accountId: string,
  { reason }: SuspensionCreate,
): Promise<AccountSuspension> {
  if (accountId === actor.accountId)
    throw invalidParameter(
      "id",
      "This is the account that you are using, so you would lock yourself out. Use another account, or `gatehouse account suspend` on the server.",
    );
  const suspension = await database.transaction((queries) =>
    suspend(queries, accountId, reason, { actor, ip, requestId }),
  );
  credentials.forget(accountId);
  return { object: "operator.account_suspension", ...suspension };
}

/**
 * Suspends an account in the caller's transaction: from then on its keys and sessions are refused in every
 * process, and its deliveries wait. A suspended account gets the new words. Throws `account_not_found`,
 * `last_operator`.
 */
export async function suspend(
  queries: Queries,
  accountId: string,
  words: string,
  by: By,
): Promise<Suspension> {
  const { suspension: before } = await findAccount(queries, accountId, true);
  await assertOperatorRemains(queries, accountId);
  const { actor } = by;
  const reason = words.trim();
  const suspension = {
    reason,
    since: before?.since ?? clock.date().toISOString(),
    by: actor && { id: actor.id, name: actor.name },
  };
  await queries.update(accounts).set({ suspension }).where(eq(accounts.id, accountId));
  await recordAudit(queries, {
    ...{ accountId, ...by, action: "account.suspended", targetId: accountId },
    detail: { reason },
  });
  await forgetAllCredentials(queries);
  return suspension;
}

/** Lifts a suspension, if there is one, in the caller's transaction. Throws `account_not_found`. */
export async function liftSuspension(queries: Queries, accountId: string, by: By): Promise<void> {
  const { suspension } = await findAccount(queries, accountId, true);
  if (suspension === null) return;
  await queries.update(accounts).set({ suspension: null }).where(eq(accounts.id, accountId));
  await recordAudit(queries, {
    ...{ accountId, ...by, action: "account.suspension_lifted", targetId: accountId },
    detail: { reason: suspension.reason, since: suspension.since },
  });
  await forgetAllCredentials(queries);
}

async function deleteByCaller(
  { database, credentials }: AccessContext,
  { actor, ip, requestId }: Caller,
  accountId: string,
  { name, reason }: DeletionNow,
): Promise<DeletionRecord> {
  const record = await database.transaction(async (queries) => {
    const account = await findAccount(queries, accountId);
    if (account.name.trim() !== name.trim())
      throw invalidParameter("name", "Type the name of the account exactly as it is shown.");
    await orderDeletion(queries, accountId, { actor, ip, requestId }, reason.trim());
    return readDeletionRecord(queries, accountId);
  });
  credentials.forget(accountId);
  return record;
}

async function findAccount(queries: Queries, id: string, isLocked = false) {
  const found = queries.select().from(accounts).where(eq(accounts.id, id));
  const [row] = await (isLocked ? found.for("no key update") : found);
  if (!row) throw noSuchAccount();
  return row;
}

/** For entrances without a key or session, such as signed upload URLs. Throws `account_suspended`. */
export async function assertNotSuspended(queries: Queries, accountId: string): Promise<void> {
  const [row] = await queries
    .select({ suspension: accounts.suspension })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  if (row?.suspension) throw accountSuspended(row.suspension.reason);
}
