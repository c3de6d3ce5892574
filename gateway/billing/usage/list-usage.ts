import type { Static } from "typebox";
import type { UsageGroup, UsageList, UsageQuery } from "#contract/usage.ts";
import type { Context } from "#gateway/context.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, isNotNull } from "#gateway/platform/database/drizzle.ts";
import { apiKeys } from "#gateway/platform/database/schema.ts";
import { chargeOf, groupsIn, readSums } from "./sums.ts";

const usualGroups: readonly UsageGroup[] = ["day", "model", "key"];

/** Quantities and what they cost, grouped as asked: of the whole account, or of the caller where they see no more. */
export async function listUsage(
  { config, database, meter }: Context,
  actor: Actor,
  query: Static<typeof UsageQuery>,
): Promise<UsageList> {
  const { from, to, model, provider, batch_id: batchId, key_id: keyId, user_id: userId, group_by } = query;
  const { accountId } = actor;
  await meter.flush();
  const payers = await wantedPayers(database.queries, actor, { keyId, userId });
  const { rows, hasMore, total } = await readSums(
    database.queries,
    { accountId, payers, from, to, model, provider, batchId },
    groupsIn(group_by, usualGroups),
  );
  return {
    object: "list",
    // What the operator pays is not theirs to see.
    data: rows.map(({ cost: _, cost_not_priced: __, charge, charge_not_priced, ...row }) => ({
      ...row,
      cost: chargeOf({ charge, charge_not_priced }, config.currency),
    })),
    has_more: hasMore,
    total: { requests: total.requests, cost: chargeOf(total, config.currency) },
  };
}

/** Whose usage is asked for, of those whose usage the caller sees: all of these lists hold. */
export async function wantedPayers(
  queries: Queries,
  actor: Actor,
  { keyId, userId }: { keyId: string | undefined; userId: string | undefined },
): Promise<string[][]> {
  const payers = await visiblePayers(queries, actor);
  if (userId !== undefined) payers.push(await payersOf(queries, actor.accountId, userId));
  if (keyId !== undefined) payers.push([keyId]);
  return payers;
}

/** Whose usage somebody sees who does not see the whole account's: their own. */
async function visiblePayers(queries: Queries, actor: Actor): Promise<string[][]> {
  if (actor.permissions.has("usage:read")) return [];
  return [await payersOf(queries, actor.accountId, actor.userId)];
}

/** What a member's usage is summed under: their own id and those of their personal keys. */
async function payersOf(queries: Queries, accountId: string, userId: string | null): Promise<string[]> {
  if (userId === null) return [];
  const members = await membersOf(queries, accountId, userId);
  return [userId, ...members.keys()];
}

/** The members of personal keys, by key id. */
export async function membersOf(
  queries: Queries,
  accountId: string,
  userId?: string,
): Promise<Map<string, string>> {
  const rows = await queries
    .select({ id: apiKeys.id, userId: apiKeys.userId })
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.accountId, accountId),
        userId === undefined ? isNotNull(apiKeys.userId) : eq(apiKeys.userId, userId),
      ),
    );
  return new Map(rows.flatMap(({ id, userId: member }) => (member === null ? [] : [[id, member]])));
}
