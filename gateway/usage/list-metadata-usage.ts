import { and, eq, gte, lte, sql } from "drizzle-orm";
import type { MetadataUsageList, MetadataUsageQuery, MetadataUsageRow } from "#contract/usage.ts";
import type { Context } from "#gateway/context.ts";
import { usageByMetadata as sums } from "#gateway/database/schema.ts";

const usualLimit = 100;

/** What was used by the values of the keys that the account has named: the largest of each key and unit, and the rest as one. */
export async function listMetadataUsage(
  { database, meter }: Context,
  accountId: string,
  { key, from, to, model, limit }: MetadataUsageQuery,
): Promise<MetadataUsageList> {
  await meter.flush();
  const where = and(
    eq(sums.accountId, accountId),
    key === undefined ? undefined : eq(sums.key, key),
    model === undefined ? undefined : eq(sums.model, model),
    from === undefined ? undefined : gte(sums.day, from),
    to === undefined ? undefined : lte(sums.day, to),
  );
  const { rows } = await database.queries.execute<MetadataUsageRow & Record<string, unknown>>(sql`
    with summed as (
      select key, value, unit, sum(quantity) as quantity, sum(requests) as requests,
        row_number() over (partition by key, unit order by value = '', sum(quantity) desc, value) as nth
      from ${sums} where ${where}
      group by key, value, unit
    ), cut as (
      select key, case when value <> '' and nth <= ${limit ?? usualLimit}::int then value end as value, unit,
        sum(quantity)::float8 as quantity, sum(requests)::int as requests
      from summed group by 1, 2, 3
    )
    select * from cut order by key, unit, value is null, quantity desc, value`);
  return { object: "list", data: rows };
}
