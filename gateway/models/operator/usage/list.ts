import type { OperatorUsageList, OperatorUsageQuery, operatorUsageGroups } from "#contract/operator/usage.ts";
import { payersOf } from "#gateway/billing/usage/list-usage.ts";
import { chargeOf, costOf, groupsIn, readSums, type SumsWanted } from "#gateway/billing/usage/sums.ts";
import type { Context } from "#gateway/context.ts";
import type { Queries } from "#gateway/platform/database/database.ts";

type Group = (typeof operatorUsageGroups)[number];
const usualGroups: readonly Group[] = ["day", "account", "model"];

/** What all accounts used: what it cost the operator, what the accounts pay, and what has no price. */
export async function listOperatorUsage(
  { config, database: { queries }, meter }: Context,
  query: OperatorUsageQuery,
): Promise<OperatorUsageList> {
  await meter.flush();
  const { currency } = config;
  const wanted = await operatorSums(queries, query);
  const { rows, hasMore, total } = await readSums(queries, wanted, groupsIn(query.group_by, usualGroups));
  return {
    object: "list",
    data: rows.map(({ cost, cost_not_priced, charge, charge_not_priced, ...row }) => {
      const sides = { cost, cost_not_priced, charge, charge_not_priced };
      return { ...row, cost: costOf(sides, currency), charge: chargeOf(sides, currency) };
    }),
    has_more: hasMore,
    total: {
      requests: total.requests,
      cost: costOf(total, currency),
      charge: chargeOf(total, currency),
    },
  };
}

type FilterName = "from" | "to" | "model" | "provider" | "batch_id" | "account_id" | "key_id" | "user_id";
type Filters = { [Name in FilterName]?: string | undefined };

/** Which sums the filters of operators name. */
export async function operatorSums(
  queries: Queries,
  {
    from,
    to,
    model,
    provider,
    batch_id: batchId,
    account_id: accountId,
    key_id: keyId,
    user_id: userId,
  }: Filters,
): Promise<SumsWanted> {
  const payers = userId === undefined ? [] : [await payersOf(queries, accountId, userId)];
  if (keyId !== undefined) payers.push([keyId]);
  return { accountId, payers, from, to, model, provider, batchId };
}
