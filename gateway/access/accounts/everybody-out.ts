import type { AuditAction } from "#contract/audit.ts";
import {
  type AccessEnd,
  type AccessEnded,
  everybodyOutRoutes,
  type OpenAccess,
} from "#contract/operator/everybody-out.ts";
import type { AccessContext } from "#gateway/access/context.ts";
import { invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { eq, type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import { accounts } from "#gateway/platform/database/schema.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { type AuditEntry, recordAudits } from "./audit.ts";
import { isLiveKey, noSuchAccount } from "./limits.ts";

/** For operators: ends all sessions or all personal keys, of one account or of all. */
export function installEverybodyOut(app: App, context: AccessContext): void {
  const { database } = context;
  serve(app, context, everybodyOutRoutes, {
    "GET /operator/access": async ({ query }) => openAccess(database.queries, query.account_id),
    "POST /operator/access/end": ({ caller, body }) => {
      const { actor, ip, requestId } = caller;
      return database.transaction((queries) =>
        endAccess(queries, body, { actor, ip, requestId }, actor.sessionId),
      );
    },
  });
}

/** How many sessions and keys are open. Throws `account_not_found`. */
export async function openAccess(queries: Queries, accountId: string | undefined): Promise<OpenAccess> {
  await assertExists(queries, accountId);
  const keys = (which: SQL) =>
    sql`(select count(*)::int from api_keys where ${liveKeys(accountId)} and ${which})`;
  const { rows } = await queries.execute<Omit<OpenAccess, "object"> & Record<string, unknown>>(sql`select
    (select count(*)::int from sessions where ${liveSessions(accountId)}) as sessions,
    ${keys(isPersonal)} as personal_keys,
    ${keys(isConnection)} as connections,
    ${keys(sql`user_id is null and bound_to is null`)} as service_keys`);
  const [counts] = rows;
  if (!counts) throw new Error("the query that counts sessions and keys returned no row");
  return { object: "operator.access", ...counts };
}

/**
 * Ends all sessions except `ownSession`, or all personal keys and connections, in the caller's transaction,
 * with a row in the audit log of every account concerned. In every process within a second. Sessions belong
 * to people, so those of one account's members end for their other accounts, too. Throws
 * `account_not_found`, `invalid_parameter`.
 */
export async function endAccess(
  queries: Queries,
  { what, account_id: accountId, reason, grace_seconds: graceSeconds }: AccessEnd,
  by: Pick<AuditEntry, "actor" | "ip" | "requestId">,
  ownSession: string | null,
): Promise<AccessEnded> {
  if (what === "sessions" && graceSeconds !== undefined)
    throw invalidParameter("grace_seconds", "Only keys have a grace time: sessions end at once.");
  await assertExists(queries, accountId);
  const ended: AccessEnded = {
    ...{ object: "operator.access_ended", sessions: 0, personal_keys: 0, connections: 0, keys_end_at: null },
  };
  const record = (action: AuditAction, counts: readonly ByAccount[], more: object = {}) =>
    recordEach(queries, counts, ({ account, count }) => ({
      ...{ accountId: account, ...by, action, targetId: account },
      detail: { ended: count, ...more, reason: reason.trim() },
    }));

  if (what === "sessions") {
    const { total, counts } = await endSessions(queries, accountId, ownSession);
    ended.sessions = total;
    await record("account.sessions_ended", counts);
    return ended;
  }
  const now = clock.date();
  const endsAt = new Date(now.getTime() + (graceSeconds ?? 0) * 1_000);
  const end = endsAt > now ? sql`expires_at = ${endsAt}` : sql`revoked_at = ${now}`;
  const keys = await endKeys(
    queries,
    sql`${liveKeys(accountId)} and ${isPersonal} and (expires_at is null or expires_at > ${endsAt})`,
    end,
  );
  const connections = await endKeys(
    queries,
    sql`${liveKeys(accountId)} and ${isConnection}`,
    sql`revoked_at = ${now}`,
  );
  await record("account.personal_keys_ended", keys, { ends_at: endsAt.toISOString() });
  await record("account.connections_ended", connections);
  return {
    ...ended,
    personal_keys: sumOf(keys),
    connections: sumOf(connections),
    keys_end_at: endsAt.toISOString(),
  };
}

/** How much ended in an account. */
interface ByAccount extends Record<string, unknown> {
  account: string;
  count: number;
}

/** With the keys of rules that act as their person. */
const isPersonal = sql`user_id is not null and bound_to is distinct from 'mcp'`;
const isConnection = sql`bound_to = 'mcp'`;

function liveKeys(accountId: string | undefined): SQL {
  return accountId === undefined ? isLiveKey : sql`account_id = ${accountId} and ${isLiveKey}`;
}

function liveSessions(accountId: string | undefined): SQL {
  const live = sql`revoked_at is null and expires_at > now()`;
  if (accountId === undefined) return live;
  return sql`${live} and (user_id in (select user_id from members where account_id = ${accountId})
    or key_hash in (select unnest(array[secret_hash, previous_secret_hash]) from api_keys where account_id = ${accountId}))`;
}

/** The number of ended sessions, and how many were those of each account's members and keys. */
async function endSessions(queries: Queries, accountId: string | undefined, ownSession: string | null) {
  const { rows } = await queries.execute<ByAccount & { total: number }>(sql`
    with ended as (
      update sessions set revoked_at = now()
      where ${liveSessions(accountId)} and id is distinct from ${ownSession}
      returning id, user_id, key_hash
    ),
    reached as (
      select m.account_id, e.id from ended e join members m on m.user_id = e.user_id
      union all
      select k.account_id, e.id from ended e join api_keys k on k.secret_hash = e.key_hash
      union all
      select k.account_id, e.id from ended e join api_keys k on k.previous_secret_hash = e.key_hash
    )
    select account_id as account, count(*)::int as count, (select count(*)::int from ended) as total
    from reached group by account_id`);
  return { total: rows[0]?.total ?? 0, counts: rows };
}

async function endKeys(queries: Queries, which: SQL, end: SQL): Promise<ByAccount[]> {
  const { rows } = await queries.execute<ByAccount>(sql`
    with ended as (update api_keys set ${end} where ${which} returning account_id)
    select account_id as account, count(*)::int as count from ended group by account_id`);
  return rows;
}

function sumOf(counts: readonly ByAccount[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}

/** Audit rows per statement. */
const rowsAtOnce = 1_000;

async function recordEach(
  queries: Queries,
  counts: readonly ByAccount[],
  entryOf: (one: ByAccount) => AuditEntry,
): Promise<void> {
  for (let at = 0; at < counts.length; at += rowsAtOnce)
    await recordAudits(queries, counts.slice(at, at + rowsAtOnce).map(entryOf));
}

async function assertExists(queries: Queries, accountId: string | undefined): Promise<void> {
  if (accountId === undefined) return;
  const [row] = await queries.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, accountId));
  if (!row) throw noSuchAccount();
}
