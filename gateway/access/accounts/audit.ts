import type { AuditAction, AuditQuery, AuditRow } from "#contract/audit.ts";
import { newId } from "#contract/ids.ts";
import type { List } from "#contract/list.ts";
import type { PlatformContext } from "#gateway/platform/context.ts";
import type { Actor, Caller } from "#gateway/platform/core/actor.ts";
import { readPage } from "#gateway/platform/database/account-rows.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { asc, eq, sql } from "#gateway/platform/database/drizzle.ts";
import { keyset } from "#gateway/platform/database/keyset.ts";
import { agedRowSweep } from "#gateway/platform/database/row-sweep.ts";
import { auditLogs, members, users } from "#gateway/platform/database/schema.ts";

export type AuditedActor = Pick<Actor, "kind" | "id" | "name" | "userId">;

export interface AuditEntry {
  accountId: string;
  /** Null for actions of the gateway itself. */
  actor: AuditedActor | null;
  /** `<resource>.<past participle>`, e.g. `webhook_endpoint.created`. */
  action: AuditAction;
  targetId?: string | null;
  /** Never a secret. */
  detail?: Record<string, unknown>;
  ip?: string | null;
  requestId?: string | null;
}

/**
 * Writes an audit row in the caller's transaction, so that no change is saved without one. Returns its id.
 */
export async function recordAudit(queries: Queries, entry: AuditEntry): Promise<string> {
  const row = rowOf(entry);
  await queries.insert(auditLogs).values(row);
  return row.id;
}

/** Writes at least one audit row, all in one statement. */
export async function recordAudits(queries: Queries, entries: readonly AuditEntry[]): Promise<void> {
  await queries.insert(auditLogs).values(entries.map(rowOf));
}

function rowOf(entry: AuditEntry) {
  return {
    id: newId("audit"),
    accountId: entry.accountId,
    action: entry.action,
    actorType: entry.actor?.kind ?? "system",
    actorId: entry.actor?.id ?? null,
    actorName: entry.actor?.name ?? "Gatehouse",
    userId: entry.actor?.userId ?? null,
    targetId: entry.targetId ?? null,
    detail: entry.detail ?? null,
    ip: entry.ip ?? null,
    requestId: entry.requestId ?? null,
  };
}

/** The caller's part of an audit row. */
export function byCaller({ actor, ip, requestId }: Caller) {
  return { accountId: actor.accountId, actor, ip, requestId };
}

/** A completed change, with the content of its audit row. */
export interface Change<Result> {
  /** The id of what was changed. */
  target: string;
  /** Never a secret. */
  detail?: Record<string, unknown>;
  result: Result;
}

/**
 * Makes a change in a transaction, writes its audit row in the same one, and returns its result. A change that finds nothing
 * to do returns `unchanged`, and leaves no row.
 */
export async function audited<Result>(
  { database }: Pick<PlatformContext, "database">,
  caller: Caller,
  action: AuditAction,
  change: (queries: Queries) => Promise<Change<Result> | { unchanged: Result }>,
): Promise<Result> {
  return database.transaction(async (queries) => {
    const made = await change(queries);
    if ("unchanged" in made) return made.unchanged;
    const { target, result, ...rest } = made;
    await recordAudit(queries, { ...byCaller(caller), action, targetId: target, ...rest });
    return result;
  });
}

/**
 * Writes the audit row of a change of the installation by its command line, which has no account: into that of the
 * first operator, as if they had made it in the console. Without operators there is no row.
 */
export async function recordAuditOfInstallation(
  queries: Queries,
  entry: Omit<AuditEntry, "accountId" | "actor">,
): Promise<void> {
  const [first] = await queries
    .select({ accountId: members.accountId })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(eq(users.isOperator, true))
    .orderBy(asc(users.createdAt), asc(members.createdAt))
    .limit(1);
  if (first) await recordAudit(queries, { ...entry, accountId: first.accountId, actor: null });
}

/** Writes an audit row about a person into each of their accounts. */
export async function recordAuditOfPerson(
  queries: Queries,
  userId: string,
  entry: Omit<AuditEntry, "accountId">,
): Promise<void> {
  const rows = await queries
    .select({ accountId: members.accountId })
    .from(members)
    .where(eq(members.userId, userId));
  for (const { accountId } of rows) await recordAudit(queries, { accountId, ...entry });
}

/** Writes an audit row about the caller into each of their accounts. */
export function recordOwnAudit(
  queries: Queries,
  { actor, ip, requestId }: Caller,
  entry: Pick<AuditEntry, "action" | "targetId" | "detail">,
): Promise<void> {
  return recordAuditOfPerson(queries, actor.id, { actor, ip, requestId, ...entry });
}

export const auditLogSweep = agedRowSweep({
  kind: "audit_log",
  table: "audit_logs",
  idKind: "audit",
  at: "at",
  days: ({ history }) => history.auditDays,
});

/** The audit log, newest first, filtered by the query. */
export function listAuditLogs(
  context: PlatformContext,
  accountId: string,
  query: AuditQuery,
): Promise<List<AuditRow>> {
  const page = keyset("audit", auditLogs.id, query, [
    eq(auditLogs.accountId, accountId),
    query.action === undefined ? undefined : eq(auditLogs.action, query.action),
    query.user_id === undefined ? undefined : sql`coalesce(user_id, actor_id) = ${query.user_id}`,
    query.key_id === undefined ? undefined : eq(auditLogs.actorId, query.key_id),
  ]);
  const { queries } = context.database;
  return readPage(queries, page, queries.select().from(auditLogs).$dynamic(), (rows) =>
    rows.map(auditRowView),
  );
}

export function auditRowView(row: typeof auditLogs.$inferSelect): AuditRow {
  return {
    id: row.id,
    object: "audit_log" as const,
    at: row.at.toISOString(),
    action: row.action,
    actor: {
      type: row.actorType as AuditRow["actor"]["type"],
      id: row.actorId,
      name: row.actorName,
      user_id: row.userId ?? (row.actorType === "user" ? row.actorId : null),
    },
    target_id: row.targetId,
    detail: row.detail,
    ip: row.ip,
    request_id: row.requestId,
  };
}
