import type { AccountDeletion } from "#contract/accounts/account-deletion.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { accountDeletions } from "#gateway/platform/database/schema.ts";
import { accountClosing } from "#gateway/platform/http/not-permitted.ts";
import { readPeople } from "../people.ts";
import { rowsOf } from "./contents.ts";

/** The deletion of an account that was ordered. */
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

/** Throws `account_closing` when the account will be deleted. */
export async function assertNotClosing(queries: Queries, accountId: string): Promise<void> {
  const [row] = await queries
    .select({ dueAt: accountDeletions.dueAt })
    .from(accountDeletions)
    .where(eq(accountDeletions.accountId, accountId));
  if (row) throw accountClosing(row.dueAt);
}
