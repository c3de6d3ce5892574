import type { AuditQuery, AuditRow } from "#contract/audit.ts";
import type { List } from "#contract/list.ts";
import type { BaseContext } from "#gateway/context.ts";
import { readPage } from "#gateway/platform/database/account-rows.ts";
import { eq, sql } from "#gateway/platform/database/drizzle.ts";
import { keyset } from "#gateway/platform/database/keyset.ts";
import { auditLogs } from "#gateway/platform/database/schema.ts";

/** The audit log, newest first, filtered by the query. */
export function listAuditLogs(
  context: BaseContext,
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
