import { eq } from "drizzle-orm";
import type { ApiKey } from "#contract/account.ts";
import type { List, PageQuery } from "#contract/list.ts";
import type { Context } from "#gateway/context.ts";
import { keyset, listOf } from "#gateway/database/keyset.ts";
import { apiKeys } from "#gateway/database/schema.ts";
import { usedThisMonth } from "#gateway/usage/used-this-month.ts";
import { keyView } from "./view.ts";

/** The account's keys, revoked ones included, newest first. */
export async function listKeys(context: Context, accountId: string, query: PageQuery): Promise<List<ApiKey>> {
  const page = keyset(apiKeys.id, query, [eq(apiKeys.accountId, accountId)]);
  const rows = await context.database.queries
    .select()
    .from(apiKeys)
    .where(page.where)
    .orderBy(page.order)
    .limit(page.limit);
  const used = await usedThisMonth(context, rows);
  return listOf(page, rows, (row) => keyView(row, used.get(row.id)));
}
