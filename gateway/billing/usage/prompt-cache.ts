import type { OperatorPromptCacheGroup, OperatorPromptCacheList } from "#contract/operator/usage.ts";
import type { PromptCacheList, PromptCacheQuery, UsageCost } from "#contract/usage.ts";
import type { BillingContext } from "#gateway/billing/context.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import { accounts, promptCacheDays } from "#gateway/platform/database/schema.ts";
import { sumsWanted } from "./list-usage.ts";
import { exact, type SumsWanted, whereOf } from "./sums.ts";

/** Rows of one answer; a page shows fewer. */
const maxRows = 1_000;

/** The fields of each group. Signed-in people have no key. */
const fieldsOf: Record<OperatorPromptCacheGroup, SQL> = {
  account: sql`account_id, (select name from ${accounts} where id = account_id) as account_name`,
  model: sql`model`,
  provider: sql`provider`,
  upstream_key: sql`provider, nullif(upstream_key, '') as upstream_key`,
  key: sql`case when key_id like 'key\\_%' then key_id end as key_id`,
};
const columnsOf = (group: OperatorPromptCacheGroup) =>
  group === "upstream_key" || group === "account" ? sql`1, 2` : sql`1`;

/** What accounts pay, or what the operator pays the providers. */
const sides = {
  charge: sql`sum(saved_charge)::text as saved, coalesce(sum(charge_not_priced), 0)::int as not_priced`,
  cost: sql`sum(saved_cost)::text as saved, coalesce(sum(cost_not_priced), 0)::int as not_priced`,
};

type Row = Omit<PromptCacheList["total"], "saved"> & {
  total: Omit<Row, "total">;
  saved: string | null;
  not_priced: number;
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
  return readPromptCache(context, await sumsWanted(context, actor, query), group, "charge");
}

/** The same of these sums, with what was saved on one side. */
export async function readPromptCache(
  { config, database }: BillingContext,
  wanted: SumsWanted,
  group: OperatorPromptCacheGroup,
  side: keyof typeof sides,
): Promise<OperatorPromptCacheList> {
  const where = whereOf({ ...wanted, withFailedTries: true });
  const amounts = sql`coalesce(sum(input_tokens), 0)::float8 as input_tokens,
    coalesce(sum(cached_tokens), 0)::float8 as cached_tokens, coalesce(sum(runs), 0)::int as requests, ${sides[side]}`;
  // The table takes the place of the sums of usage, whose filters it has.
  const { rows } = await database.queries.execute<Row & Record<string, unknown>>(sql`
    with read as materialized (select * from ${promptCacheDays} usage_sums where ${where} and input_tokens > 0)
    select ${fieldsOf[group]}, ${amounts},
      (select to_json(total) from (select ${amounts} from read) total) as total
    from read group by ${columnsOf(group)}
    order by sum(input_tokens) desc, 1 limit ${maxRows + 1}`);
  const shown = ({ saved, not_priced, ...row }: Omit<Row, "total">) => ({
    ...row,
    saved: { amount: exact(saved), currency: config.currency, not_priced } satisfies UsageCost,
  });
  const nothing = { input_tokens: 0, cached_tokens: 0, requests: 0, saved: null, not_priced: 0 };
  return {
    object: "list",
    data: rows.slice(0, maxRows).map(({ total: _, ...row }) => shown(row)),
    has_more: rows.length > maxRows,
    total: shown(rows[0]?.total ?? nothing),
  };
}
