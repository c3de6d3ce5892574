import type { List, PageQuery } from "#contract/list.ts";
import type { DeletionRecord } from "#contract/operator/account-state.ts";
import type { AccessContext } from "#gateway/access/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { hashOfJson } from "#gateway/platform/core/canonical-json.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { readPage } from "#gateway/platform/database/account-rows.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { keyset } from "#gateway/platform/database/keyset.ts";
import { accountDeletions } from "#gateway/platform/database/schema.ts";

type Row = typeof accountDeletions.$inferSelect;

/** The records of all deletions: pending, running and finished. */
export function listDeletions({ database }: AccessContext, query: PageQuery): Promise<List<DeletionRecord>> {
  const page = keyset("account", accountDeletions.accountId, query, []);
  const { queries } = database;
  return readPage(
    queries,
    page,
    queries
      .select({ id: accountDeletions.accountId, row: accountDeletions })
      .from(accountDeletions)
      .$dynamic(),
    (rows) => rows.map(({ row }) => recordOf(row)),
  );
}

/** The record of an account's deletion. Throws `account_not_found` if it was never deleted. */
export async function readDeletionRecord(queries: Queries, accountId: string): Promise<DeletionRecord> {
  const [row] = await queries
    .select()
    .from(accountDeletions)
    .where(eq(accountDeletions.accountId, accountId));
  if (!row)
    throw new ApiError(
      "account_not_found",
      "There is no deletion of such an account. GET /v1/operator/deletions lists them.",
      { param: "id" },
    );
  return recordOf(row);
}

/** The hash of a deletion that has just finished. */
export async function certificateHash(row: Row): Promise<string> {
  const { sha256: _, ...certified } = recordOf(row);
  return hashOfJson(certified);
}

function recordOf(row: Row): DeletionRecord {
  const { accountId, requestedBy, requestedAt, reason, dueAt, startedAt, finishedAt } = row;
  return {
    id: accountId,
    object: "operator.account_deletion",
    state: finishedAt ? "finished" : dueAt <= clock.date() ? "running" : "scheduled",
    requested_by: requestedBy,
    requested_at: requestedAt.toISOString(),
    reason,
    due_at: dueAt.toISOString(),
    started_at: startedAt?.toISOString() ?? null,
    finished_at: finishedAt?.toISOString() ?? null,
    contents: row.contents,
    removed: row.removed ?? {},
    sha256: row.sha256,
  };
}
