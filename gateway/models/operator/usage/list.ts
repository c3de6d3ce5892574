import type { OperatorUsageList, OperatorUsageQuery, operatorUsageGroups } from "#contract/operator/usage.ts";
import { chargeOf, costOf, groupsIn, readSums } from "#gateway/billing/usage/sums.ts";
import type { Context } from "#gateway/context.ts";

type Group = (typeof operatorUsageGroups)[number];
const usualGroups: readonly Group[] = ["day", "account", "model"];

/** What all accounts used: what it cost the operator, what the accounts pay, and what has no price. */
export async function listOperatorUsage(
  { config, database, meter }: Context,
  { account_id: accountId, batch_id: batchId, group_by, ...query }: OperatorUsageQuery,
): Promise<OperatorUsageList> {
  await meter.flush();
  const { currency } = config;
  const { rows, hasMore, total } = await readSums(
    database.queries,
    { ...query, accountId, batchId },
    groupsIn(group_by, usualGroups),
  );
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
