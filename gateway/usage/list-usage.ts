import { and, desc, eq, gte, inArray, isNotNull, lte } from "drizzle-orm";
import type { Static } from "typebox";
import type { UsageList, UsageQuery } from "#contract/usage.ts";
import type { Context } from "#gateway/context.ts";
import type { Actor } from "#gateway/core/actor.ts";
import type { Queries } from "#gateway/database/database.ts";
import { apiKeys, usageDaily } from "#gateway/database/schema.ts";

/** About 32 models over a quarter of a year: more rows are of no use in one answer. */
const maxRows = 5_000;

/** Metered quantities by day, model, unit and who: of the whole account, or of the caller where they see no more. */
export async function listUsage(
  { database, meter }: Context,
  actor: Actor,
  { from, to, model, key_id: keyId, user_id: userId }: Static<typeof UsageQuery>,
): Promise<UsageList> {
  const { queries } = database;
  const { accountId } = actor;
  await meter.flush();
  const seesAll = actor.permissions.has("usage:read");
  const rows = await queries
    .select()
    .from(usageDaily)
    .where(
      and(
        eq(usageDaily.accountId, accountId),
        seesAll ? undefined : inArray(usageDaily.keyId, await payersOf(queries, accountId, actor.userId)),
        userId === undefined
          ? undefined
          : inArray(usageDaily.keyId, await payersOf(queries, accountId, userId)),
        from === undefined ? undefined : gte(usageDaily.day, from),
        to === undefined ? undefined : lte(usageDaily.day, to),
        model === undefined ? undefined : eq(usageDaily.model, model),
        keyId === undefined ? undefined : eq(usageDaily.keyId, keyId),
      ),
    )
    .orderBy(desc(usageDaily.day), usageDaily.model)
    .limit(maxRows);
  const members = await membersOf(queries, accountId);
  const data = rows.map((row) => ({
    day: row.day,
    model: row.model,
    unit: row.unit,
    key_id: row.keyId.startsWith("key_") ? row.keyId : null,
    user_id: row.keyId.startsWith("usr_") ? row.keyId : (members.get(row.keyId) ?? null),
    quantity: row.quantity,
    requests: row.requests,
  }));
  return { object: "list", data };
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
