import type { AuditRow } from "#contract/audit.ts";
import type { List, PageQuery } from "#contract/list.ts";
import type { ConfigurationChange } from "#contract/operator/changes.ts";
import { auditRowView } from "#gateway/access/accounts/list-audit-logs.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { eq, getTableColumns, type SQL } from "#gateway/platform/database/drizzle.ts";
import { keyset, listOf } from "#gateway/platform/database/keyset.ts";
import { auditLogs, configurationChanges } from "#gateway/platform/database/schema.ts";
import { withTotal } from "#gateway/platform/database/total.ts";
import { isRestorable } from "./restorers.ts";
import { type Histories, readHistories } from "./things.ts";

type Row = typeof auditLogs.$inferSelect;

/** What was changed in the configuration, by all operators, newest first. */
export async function listChanges(queries: Queries, query: PageQuery): Promise<List<ConfigurationChange>> {
  const page = keyset("audit", configurationChanges.id, query, []);
  const rows = await select(queries, page.where).orderBy(page.order).limit(page.limit);
  const histories = await readHistories(
    queries,
    rows.map(({ id }) => id),
  );
  return withTotal(
    queries,
    page,
    listOf(page, rows, (row) => changeView(row, histories)),
  );
}

/** One change; null if there is none. */
export async function findChange(queries: Queries, id: string): Promise<Row | null> {
  const [row] = await select(queries, eq(configurationChanges.id, id));
  return row ?? null;
}

export function changeView(row: Row, histories: Histories): ConfigurationChange {
  const audit: AuditRow = auditRowView(row);
  return { ...audit, undoable: isRestorable(row.action) && histories.isOpen(row.id) };
}

function select(queries: Queries, where: SQL | undefined) {
  return queries
    .select(getTableColumns(auditLogs))
    .from(configurationChanges)
    .innerJoin(auditLogs, eq(auditLogs.id, configurationChanges.id))
    .where(where)
    .$dynamic();
}
