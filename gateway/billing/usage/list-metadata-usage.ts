import type { MetadataUsageList, MetadataUsageQuery, MetadataUsageRow } from "#contract/usage.ts";
import type { Context } from "#gateway/context.ts";
import { and, eq, gte, lte, sql } from "#gateway/platform/database/drizzle.ts";
import { usageByMetadata as sums } from "#gateway/platform/database/schema.ts";
import { chargeOf, type Sides } from "./sums.ts";

const usualLimit = 100;

type SummedRow = Omit<MetadataUsageRow, "cost"> & Pick<Sides, "charge" | "charge_not_priced">;

/** What was used by the values of the keys that the account has named: the largest of each key and unit, and the rest as one. */
export async function listMetadataUsage(
  { config, database, meter }: Context,
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
  const { rows } = await database.queries.execute<SummedRow & Record<string, unknown>>(sql`
    with summed as (
      select key, value, unit, sum(quantity) as quantity, sum(requests) as requests, sum(charge) as charge,
        coalesce(sum(requests) filter (where charge is null), 0) as not_priced,
        row_number() over (partition by key, unit order by value = '', sum(quantity) desc, value) as nth
      from ${sums} where ${where}
      group by key, value, unit
    ), cut as (
      select key, case when value <> '' and nth <= ${limit ?? usualLimit}::int then value end as value, unit,
        sum(quantity)::float8 as quantity, sum(requests)::int as requests, sum(charge)::text as charge,
        sum(not_priced)::int as charge_not_priced
      from summed group by 1, 2, 3
    )
    select * from cut order by key, unit, value is null, quantity desc, value`);
  return {
    object: "list",
    data: rows.map(({ charge, charge_not_priced, ...row }) => ({
      ...row,
      cost: chargeOf({ charge, charge_not_priced }, config.currency),
    })),
  };
}
