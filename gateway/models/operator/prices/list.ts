import type { Price, PriceList, PriceQuery } from "#contract/operator/prices.ts";
import type { Context } from "#gateway/context.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { readPage } from "#gateway/platform/database/account-rows.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import { keyset } from "#gateway/platform/database/keyset.ts";
import { prices } from "#gateway/platform/database/schema.ts";
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
    current === true ? sql`${prices.id} in (${currentIds(model, apiType)})` : undefined,
  ]);
  const { queries } = database;
  const list = await readPage(queries, page, queries.select().from(prices).$dynamic(), (rows) =>
    priceViews({ config }, queries, rows),
  );
  return {
    ...list,
    currency: config.currency,
    file: configuration.pricesFile,
  };
}

/** The views of these rows, in their order. */
export async function priceViews(
  { config }: Pick<Context, "config">,
  queries: Queries,
  rows: readonly PriceRow[],
): Promise<Price[]> {
  const complete = await listed(queries, rows);
  const now = clock.now();
  return complete.map((row) => priceView(row, config.currency, now));
}

/** Adds the fields that depend on other versions of the same models. */
async function listed(queries: Queries, rows: readonly PriceRow[]): Promise<ListedPrice[]> {
  if (rows.length === 0) return [];
  const models = [...new Set(rows.map(({ model }) => model))];
  const { rows: found } = await queries.execute<{
    id: string;
    endsAtMs: string | null;
    isOverridden: boolean;
  }>(
    sql`select id, extract(epoch from ends_at) * 1000 as "endsAtMs", is_overridden as "isOverridden"
      from (${versions(sql`${prices.model} = any (${sql.param(models)}::text[])`)}) versions
      where id = any (${sql.param(rows.map(({ id }) => id))}::text[])`,
  );
  const byId = new Map(found.map((row) => [row.id, row]));
  return rows.map((row) => {
    const { endsAtMs = null, isOverridden = false } = byId.get(row.id) ?? {};
    return { ...row, endsAt: endsAtMs === null ? null : new Date(Number(endsAtMs)), isOverridden };
  });
}

/** The newest version of each scope that has begun. */
function currentIds(model: string | undefined, apiType: string | undefined): SQL {
  const where = sql`${model === undefined ? sql`true` : sql`${prices.model} = ${model}`}
    and ${apiType === undefined ? sql`true` : sql`${prices.apiType} = ${apiType}`}`;
  return sql`select id from (${versions(where)}) versions where ends_at is null or ends_at > now()`;
}

const scope = sql.raw("account_id, model, api_type, provider, region");

/**
 * When the next version of the same scope begins, and whether the file currently sets the scope. One pass
 * over all of them: a subquery per row would take quadratic time.
 */
function versions(where: SQL): SQL {
  return sql`select id, ends_at, source = 'console' and bool_or(source = 'file' and components is not null
      and effective_at <= now() and (ends_at is null or ends_at > now())) over (partition by ${scope}) as is_overridden
    from (select *, lead(effective_at) over (partition by ${scope}, source order by effective_at, id) as ends_at
      from ${prices} where ${where}) prices`;
}
