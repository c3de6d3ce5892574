import type { List, PageQuery } from "#contract/list.ts";
import type { Credit } from "#contract/money/credits.ts";
import type { Context } from "#gateway/context.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { eq, getTableColumns, sql } from "#gateway/platform/database/drizzle.ts";
import { keyset, listOf } from "#gateway/platform/database/keyset.ts";
import { accountCredits, apiKeys, users } from "#gateway/platform/database/schema.ts";
import { withTotal } from "#gateway/platform/database/total.ts";

/** Credit that operators added to the account, newest first. */
export async function listCredits(
  { database, config }: Context,
  accountId: string,
  query: PageQuery,
): Promise<List<Credit>> {
  const page = keyset("credit", accountCredits.id, query, [eq(accountCredits.accountId, accountId)]);
  const rows = await selectCredits(database.queries).where(page.where).orderBy(page.order).limit(page.limit);
  return withTotal(
    database.queries,
    page,
    listOf(page, rows, (row) => creditView(row, config.currency)),
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
