import type { Static } from "typebox";
import type { UsageExportQuery, UsageGroup, UsageList, UsageQuery } from "#contract/usage.ts";
import type { BillingContext } from "#gateway/billing/context.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { invalidParameter } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, isNotNull } from "#gateway/platform/database/drizzle.ts";
import { pairOf } from "#gateway/platform/database/metadata-filter.ts";
import { accounts, apiKeys } from "#gateway/platform/database/schema.ts";
import { assertPermitted } from "#gateway/platform/http/not-permitted.ts";
import { chargeOf, groupsIn, readSums, type SumsWanted } from "./sums.ts";

const usualGroups: readonly UsageGroup[] = ["day", "model", "key"];

/** The groupings available for the sums of one metadata pair. */
const pairGroups: readonly UsageGroup[] = ["day", "model"];

type Asked = Static<typeof UsageExportQuery> & Pick<Static<typeof UsageQuery>, "group_by">;

/**
 * Quantities and costs, grouped as requested: of the whole account, or only the caller's if they may not see
 * more.
 */
export async function listUsage(
  context: BillingContext,
  actor: Actor,
  query: Static<typeof UsageQuery>,
): Promise<UsageList> {
  const { config, database } = context;
  const wanted = await sumsWanted(context, actor, query);
  const groups = groupsIn(query.group_by, wanted.pair ? pairGroups : usualGroups);
  const { rows, hasMore, total } = await readSums(database.queries, wanted, groups);
  return {
    object: "list",
    // Callers must not see the operator's cost.
    data: rows.map(({ cost: _, cost_not_priced: __, charge, charge_not_priced, ...row }) => ({
      ...row,
      cost: chargeOf({ charge, charge_not_priced }, config.currency),
    })),
    has_more: hasMore,
    total: { requests: total.requests, cost: chargeOf(total, config.currency) },
  };
}

/**
 * The sums that an account's query asks for, including everything metered up to now. Throws
 * `invalid_parameter` for metadata that is not summed, and `role_not_allowed` for metadata if the caller sees
 * only their own usage.
 */
export async function sumsWanted(
  { database: { queries }, meter }: BillingContext,
  actor: Actor,
  { from, to, model, provider, batch_id: batchId, key_id: keyId, user_id: userId, metadata, group_by }: Asked,
): Promise<SumsWanted> {
  await meter.flush();
  const { accountId } = actor;
  const wanted = { accountId, from, to, model };
  if (metadata !== undefined) {
    const others = { provider, batch_id: batchId, key_id: keyId, user_id: userId };
    return { ...wanted, pair: await summedPair(queries, actor, metadata, others, group_by) };
  }
  const payers = await visiblePayers(queries, actor);
  if (userId !== undefined) payers.push(await payersOf(queries, accountId, userId));
  if (keyId !== undefined) payers.push([keyId]);
  return { ...wanted, provider, batchId, payers };
}

/**
 * A metadata pair, if its key is one of the account's summed keys and the query needs nothing that its sums
 * do not distinguish.
 */
async function summedPair(
  queries: Queries,
  actor: Actor,
  metadata: string,
  others: Readonly<Record<string, string | undefined>>,
  groupBy: string | undefined,
): Promise<{ key: string; value: string }> {
  await assertPermitted(queries, actor, "usage:read");
  const pair = pairOf(metadata);
  const [row] = await queries
    .select({ keys: accounts.usageKeys })
    .from(accounts)
    .where(eq(accounts.id, actor.accountId));
  const named = row?.keys ?? [];
  if (!named.includes(pair.key))
    throw invalidParameter(
      "metadata",
      `Usage is summed by metadata only for the keys in the account's usage_keys${named.length > 0 ? ` (${named.join(", ")})` : ""}. Add ${pair.key} to them (PATCH /account): runs from then on are summed by it. GET /requests and GET /predictions list runs with any metadata.`,
    );
  const other = Object.keys(others).find((name) => others[name] !== undefined);
  if (other)
    throw invalidParameter(
      other,
      `Usage of one metadata value is summed by day and model: leave out ${other}, or leave out metadata.`,
    );
  const group = groupsIn<string>(groupBy, pairGroups).find(
    (name) => !pairGroups.some((each) => each === name),
  );
  if (group)
    throw invalidParameter(
      "group_by",
      `Usage of one metadata value is grouped by ${pairGroups.join(", ")} or both, not by ${group}.`,
    );
  return pair;
}

/**
 * The condition on usage for callers who see only their own: the ids it is counted under. Empty if the caller
 * sees the whole account's usage.
 */
async function visiblePayers(queries: Queries, actor: Actor): Promise<string[][]> {
  if (actor.permissions.has("usage:read")) return [];
  const { accountId, userId } = actor;
  return [userId === null ? [] : await payersOf(queries, accountId, userId)];
}

/**
 * The ids under which a member's usage is summed: their own and those of their personal keys, in one account
 * or in all.
 */
export async function payersOf(
  queries: Queries,
  accountId: string | undefined,
  userId: string,
): Promise<string[]> {
  const keys = await queries
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(
      and(accountId === undefined ? undefined : eq(apiKeys.accountId, accountId), eq(apiKeys.userId, userId)),
    );
  return [userId, ...keys.map(({ id }) => id)];
}

/** The owners of personal keys, by key id. */
export async function membersOf(queries: Queries, accountId: string): Promise<Map<string, string>> {
  const rows = await queries
    .select({ id: apiKeys.id, userId: apiKeys.userId })
    .from(apiKeys)
    .where(and(eq(apiKeys.accountId, accountId), isNotNull(apiKeys.userId)));
  return new Map(rows.flatMap(({ id, userId: member }) => (member === null ? [] : [[id, member]])));
}
