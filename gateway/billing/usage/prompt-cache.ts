import type { PromptCacheGroup, PromptCacheList, PromptCacheQuery } from "#contract/usage.ts";
import type { BillingContext } from "#gateway/billing/context.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import { promptCacheDays } from "#gateway/platform/database/schema.ts";
import { sumsWanted } from "./list-usage.ts";
import { chargeOf, whereOf } from "./sums.ts";

/** Rows of one answer; a page shows fewer. */
const maxRows = 1_000;

/** The fields of each group. Signed-in people have no key. */
const fieldsOf: Record<PromptCacheGroup, SQL> = {
  model: sql`model`,
  provider: sql`provider`,
  upstream_key: sql`provider, nullif(upstream_key, '') as upstream_key`,
  key: sql`case when key_id like 'key\\_%' then key_id end as key_id`,
};

type Row = Omit<PromptCacheList["total"], "saved"> & {
  total: Omit<Row, "total">;
  charge: string | null;
  charge_not_priced: number;
};

/**
 * How many input tokens came from the providers' caches, and what that saved, the most input first: of the whole
 * account, or only the caller's if they may not see more.
 */
export async function listPromptCache(
  context: BillingContext,
  actor: Actor,
  { group_by: group = "model", ...query }: PromptCacheQuery,
): Promise<PromptCacheList> {
  const { config, database } = context;
  const where = whereOf({ ...(await sumsWanted(context, actor, query)), withFailedTries: true });
  const amounts = sql`coalesce(sum(input_tokens), 0)::float8 as input_tokens,
    coalesce(sum(cached_tokens), 0)::float8 as cached_tokens, coalesce(sum(runs), 0)::int as requests,
    sum(saved_charge)::text as charge, coalesce(sum(charge_not_priced), 0)::int as charge_not_priced`;
  // The table takes the place of the sums of usage, whose filters it has.
  const { rows } = await database.queries.execute<Row & Record<string, unknown>>(sql`
    with read as materialized (select * from ${promptCacheDays} usage_sums where ${where} and input_tokens > 0)
    select ${fieldsOf[group]}, ${amounts},
      (select to_json(total) from (select ${amounts} from read) total) as total
    from read group by ${group === "upstream_key" ? sql`1, 2` : sql`1`}
    order by sum(input_tokens) desc, 1 limit ${maxRows + 1}`);
  const shown = ({ charge, charge_not_priced, ...row }: Omit<Row, "total">) => ({
    ...row,
    saved: chargeOf({ charge, charge_not_priced }, config.currency),
  });
  const nothing = { input_tokens: 0, cached_tokens: 0, requests: 0, charge: null, charge_not_priced: 0 };
  return {
    object: "list",
    data: rows.slice(0, maxRows).map(({ total: _, ...row }) => shown(row)),
    has_more: rows.length > maxRows,
    total: shown(rows[0]?.total ?? nothing),
  };
}
