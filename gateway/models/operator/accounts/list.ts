import type { OperatorAccountList, OperatorAccountQuery } from "#contract/operator/accounts.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { asc, inArray, or, type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import { accounts } from "#gateway/platform/database/schema.ts";

/** Enough to choose from; more are found by typing more. */
const shownAccounts = 20;

/** The accounts whose names contain `q`, or those with these ids. */
export async function listAccounts(
  queries: Queries,
  { q, ids }: OperatorAccountQuery,
): Promise<OperatorAccountList> {
  const named = ids?.split(",").filter(Boolean);
  const limit = named ? named.length : shownAccounts;
  const rows = await queries
    .select({ id: accounts.id, name: accounts.name })
    .from(accounts)
    .where(named ? inArray(accounts.id, named) : matching(q?.trim() ?? ""))
    .orderBy(asc(sql`lower(${accounts.name})`), asc(accounts.id))
    .limit(limit + 1);
  return {
    object: "list",
    data: rows.slice(0, limit).map((row) => ({ ...row, object: "operator.account" as const })),
    has_more: rows.length > limit,
  };
}

function matching(q: string): SQL | undefined {
  if (q === "") return undefined;
  return or(sql`position(lower(${q}) in lower(${accounts.name})) > 0`, sql`${accounts.id} = ${q}`);
}
