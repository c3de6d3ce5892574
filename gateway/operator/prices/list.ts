import type { Price, PriceList, PriceQuery } from "#contract/operator/prices.ts";
import type { Context } from "#gateway/context.ts";
import { clock } from "#gateway/core/clock.ts";
import type { Queries } from "#gateway/database/database.ts";
import { inArray, type SQL, sql } from "#gateway/database/drizzle.ts";
import { keyset, listOf } from "#gateway/database/keyset.ts";
import { prices } from "#gateway/database/schema.ts";
import { withTotal } from "#gateway/database/total.ts";
import { type ListedPrice, type PriceRow, priceView } from "./price-rows.ts";

/** The versions of all prices, newest first. */
export async function listPrices(
  { config, configuration, database }: Context,
  query: PriceQuery,
): Promise<PriceList> {
  const { model, api_type: apiType, provider, account_id: account, current } = query;
  const page = keyset("price", prices.id, query, [
    sql`${prices.components} is not null`,
    model === undefined ? undefined : sql`${prices.model} = ${model}`,
    apiType === undefined ? undefined : sql`${prices.apiType} = ${apiType}`,
    provider === undefined ? undefined : sql`${prices.provider} = ${provider}`,
    account === undefined
      ? undefined
      : account === "none"
        ? sql`${prices.accountId} is null`
        : sql`${prices.accountId} = ${account}`,
    current === true ? sql`not exists (${followers(true)})` : undefined,
  ]);
  const rows = await selectListed(database.queries, page.where).orderBy(page.order).limit(page.limit);
  const now = clock.now();
  return {
    ...(await withTotal(
      database.queries,
      page,
      listOf(page, rows.map(listed), (row) => priceView(row, config.currency, now)),
    )),
    currency: config.currency,
    file: configuration.pricesFile,
  };
}

/** Prices by their ids, as they were given. */
export async function findPrices(
  { config, database }: Pick<Context, "config" | "database">,
  ids: readonly string[],
): Promise<Price[]> {
  const rows = await selectListed(database.queries, inArray(prices.id, [...ids]));
  const views = new Map(
    rows.map((row) => [row.price.id, priceView(listed(row), config.currency, clock.now())]),
  );
  return ids.flatMap((id) => views.get(id) ?? []);
}

function selectListed(queries: Queries, where: SQL | undefined) {
  return queries
    .select({
      price: prices,
      endsAt: sql<string | null>`(${followers(false)})`,
      isOverridden: sql<boolean>`${prices.source} = 'console' and coalesce((${ofFile}), false)`,
    })
    .from(prices)
    .where(where)
    .$dynamic();
}

type Selected = { price: PriceRow; endsAt: string | null; isOverridden: boolean };

function listed({ price, endsAt, isOverridden }: Selected): ListedPrice {
  return { ...price, endsAt: endsAt === null ? null : new Date(endsAt), isOverridden };
}

const sameScope = sql.raw(`other.model = prices.model and other.api_type = prices.api_type
  and other.account_id is not distinct from prices.account_id and other.provider is not distinct from prices.provider
  and other.region is not distinct from prices.region`);

/** When the next version of the same scope begins; or whether it has begun. */
function followers(begun: boolean): SQL {
  const what = sql.raw(begun ? "1" : "min(other.effective_at)");
  return sql`select ${what} from ${prices} other where ${sameScope} and other.source = ${prices.source}
    and (other.effective_at, other.id) > (${prices.effectiveAt}, ${prices.id})
    ${begun ? sql`and other.effective_at <= now()` : sql``}`;
}

/** Whether the file names the scope now. */
const ofFile = sql`select other.components is not null from ${prices} other where ${sameScope} and other.source = 'file'
  and other.effective_at <= now() order by other.effective_at desc, other.id desc limit 1`;
