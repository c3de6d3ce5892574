import { and, asc, desc, eq, gte, lte } from "drizzle-orm";
import type { MetadataUsageList, MetadataUsageQuery } from "#contract/usage.ts";
import type { Context } from "#gateway/context.ts";
import { usageByMetadata as sums } from "#gateway/database/schema.ts";

const maxRows = 5_000;

/** Metered quantities by day and the values of the keys that the account has named. */
export async function listMetadataUsage(
  { database, meter }: Context,
  accountId: string,
  { key, from, to, model }: MetadataUsageQuery,
): Promise<MetadataUsageList> {
  await meter.flush();
  const rows = await database.queries
    .select()
    .from(sums)
    .where(
      and(
        eq(sums.accountId, accountId),
        key === undefined ? undefined : eq(sums.key, key),
        from === undefined ? undefined : gte(sums.day, from),
        to === undefined ? undefined : lte(sums.day, to),
        model === undefined ? undefined : eq(sums.model, model),
      ),
    )
    .orderBy(desc(sums.day), asc(sums.key), asc(sums.value), asc(sums.model))
    .limit(maxRows + 1);
  const data = rows.slice(0, maxRows).map(({ day, key, value, model, unit, quantity, requests }) => ({
    day,
    key,
    value: value === "" ? null : value,
    model,
    unit,
    quantity,
    requests,
  }));
  return { object: "list", data, has_more: rows.length > maxRows };
}
