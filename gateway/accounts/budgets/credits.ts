import type { List, PageQuery } from "#contract/list.ts";
import type { Credit } from "#contract/money/credits.ts";
import type { Context } from "#gateway/context.ts";
import { eq } from "#gateway/database/drizzle.ts";
import { keyset, listOf } from "#gateway/database/keyset.ts";
import { accountCredits } from "#gateway/database/schema.ts";
import { withTotal } from "#gateway/database/total.ts";

/** What operators added to the account's credit, newest first. */
export async function listCredits(
  { database, config }: Context,
  accountId: string,
  query: PageQuery,
): Promise<List<Credit>> {
  const page = keyset("credit", accountCredits.id, query, [eq(accountCredits.accountId, accountId)]);
  const rows = await database.queries
    .select()
    .from(accountCredits)
    .where(page.where)
    .orderBy(page.order)
    .limit(page.limit);
  return withTotal(
    database.queries,
    page,
    listOf(page, rows, (row) => creditView(row, config.currency)),
  );
}

export function creditView(row: typeof accountCredits.$inferSelect, currency: string): Credit {
  return {
    id: row.id,
    object: "credit",
    amount: row.amount,
    currency,
    note: row.note,
    created_at: row.createdAt.toISOString(),
  };
}
