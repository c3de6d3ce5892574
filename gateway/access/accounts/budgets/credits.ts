import type { List, PageQuery } from "#contract/list.ts";
import type { Credit } from "#contract/money/credits.ts";
import type { BaseContext } from "#gateway/context.ts";
import { readPage } from "#gateway/platform/database/account-rows.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { eq, getTableColumns, sql } from "#gateway/platform/database/drizzle.ts";
import { keyset } from "#gateway/platform/database/keyset.ts";
import { accountCredits, apiKeys, users } from "#gateway/platform/database/schema.ts";

/** Credit that operators added to the account, newest first. */
export function listCredits(
  { database, config }: BaseContext,
  accountId: string,
  query: PageQuery,
): Promise<List<Credit>> {
  const page = keyset("credit", accountCredits.id, query, [eq(accountCredits.accountId, accountId)]);
  return readPage(database.queries, page, selectCredits(database.queries), (rows) =>
    rows.map((row) => creditView(row, config.currency)),
  );
}

/** Credits with the names of the operators who added them. */
export function selectCredits(queries: Queries) {
  return queries
    .select({
      ...getTableColumns(accountCredits),
      addedByName: sql<string | null>`coalesce(${users.name}, ${apiKeys.name})`,
    })
    .from(accountCredits)
    .leftJoin(users, eq(users.id, accountCredits.addedBy))
    .leftJoin(apiKeys, eq(apiKeys.id, accountCredits.addedBy))
    .$dynamic();
}

type ListedCredit = typeof accountCredits.$inferSelect & { addedByName: string | null };

export function creditView(row: ListedCredit, currency: string): Credit {
  return {
    id: row.id,
    object: "credit",
    amount: row.amount,
    currency,
    note: row.note,
    added_by: row.addedBy === null ? null : { id: row.addedBy, name: row.addedByName },
    balance_after: row.balanceAfter,
    created_at: row.createdAt.toISOString(),
  };
}
