import type { Queries } from "#gateway/platform/database/database.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";
import { markups, prices } from "#gateway/platform/database/schema.ts";
import { bookOf, type MarkupVersion, type PriceBook, type PriceVersion } from "./book.ts";

/** Versions replaced longer ago are not kept in memory, because no run is that old. */
const runsLastDays = 45;

/** A version as the database returns it, with its time as text. */
type Row<Version> = { [Name in keyof Version]: Name extends "effectiveAtMs" ? string : Version[Name] };

/** All prices that a run may still need, read at one moment. */
export async function readBook(
  queries: Queries,
  currency: string,
  rename: ReadonlyMap<string, string>,
): Promise<PriceBook> {
  const { rows: versions } = await queries.execute<Row<PriceVersion>>(sql`
    select id, account_id as "accountId", model, api_type as "apiType", provider, region, components, source,
      extract(epoch from effective_at) * 1000 as "effectiveAtMs"
    from (
      select *, lead(effective_at) over (
        partition by account_id, model, api_type, provider, region, source order by effective_at, id
      ) as ends_at from ${prices}
    ) versions
    where ends_at is null or ends_at > now() - make_interval(days => ${runsLastDays})`);
  const { rows: percents } = await queries.execute<Row<MarkupVersion>>(sql`
    select id, account_id as "accountId", percent::text as percent, extract(epoch from effective_at) * 1000 as "effectiveAtMs"
    from (
      select *, lead(effective_at) over (partition by account_id order by effective_at, id) as ends_at from ${markups}
    ) versions
    where ends_at is null or ends_at > now() - make_interval(days => ${runsLastDays})`);
  return bookOf(
    currency,
    versions.map((row) => ({ ...row, effectiveAtMs: Number(row.effectiveAtMs) })),
    percents.map((row) => ({ ...row, effectiveAtMs: Number(row.effectiveAtMs) })),
    rename,
  );
}
