import type { MonthlyBudget, Quantities } from "#contract/accounts/keys.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Database, Queries } from "#gateway/platform/database/database.ts";
import { and, eq, gte, inArray, lt, sql } from "#gateway/platform/database/drizzle.ts";
import { apiKeys, usageDaily } from "#gateway/platform/database/schema.ts";
import { monthOf } from "../budgets/state.ts";
import type { Meter } from "./meter.ts";

interface BudgetedKey {
  id: string;
  monthlyBudget: MonthlyBudget | null;
}

/**
 * This month's usage (UTC) of the keys in `keys` that have a budget, by key id. One query for all of them;
 * none if no key has a budget. Runs that this process has not written yet are written first.
 */
export async function usedThisMonth(
  { database, meter }: { database: Database; meter: Meter },
  keys: readonly BudgetedKey[],
): Promise<Map<string, Quantities>> {
  if (keys.every((key) => key.monthlyBudget === null)) return new Map();
  await meter.flush();
  return readUsedThisMonth(database.queries, keys);
}

/** This month's usage of members with a budget, by user id: of their sessions and personal keys together. */
export async function usedByMembers(
  sources: { database: Database; meter: Meter },
  accountId: string,
  members: readonly BudgetedKey[],
): Promise<Map<string, Quantities>> {
  const budgeted = members.filter((member) => member.monthlyBudget !== null);
  if (budgeted.length === 0) return new Map();
  const keys = await sources.database.queries
    .select({ id: apiKeys.id, userId: apiKeys.userId })
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.accountId, accountId),
        inArray(
          apiKeys.userId,
          budgeted.map(({ id }) => id),
        ),
      ),
    );
  await sources.meter.flush();
  const payers = [...budgeted.map(({ id }) => ({ id, userId: id })), ...keys];
  const used = await readUsed(
    sources.database.queries,
    payers.map(({ id }) => id),
    accountId,
  );
  const total = new Map<string, Quantities>();
  for (const { id, userId } of payers) {
    if (userId === null) continue;
    const sums: Quantities = { ...total.get(userId) };
    for (const [unit, quantity] of Object.entries(used.get(id) ?? {}))
      sums[unit as keyof Quantities] = (sums[unit as keyof Quantities] ?? 0) + quantity;
    total.set(userId, sums);
  }
  return total;
}

/** Like `usedThisMonth`, but reads only what is written, in the caller's transaction. */
export async function readUsedThisMonth(
  queries: Queries,
  keys: readonly BudgetedKey[],
): Promise<Map<string, Quantities>> {
  const ids = keys.filter((key) => key.monthlyBudget !== null).map((key) => key.id);
  return readUsed(queries, ids);
}

async function readUsed(
  queries: Queries,
  ids: readonly string[],
  accountId?: string,
): Promise<Map<string, Quantities>> {
  if (ids.length === 0) return new Map();
  const { firstDay, nextFirstDay } = monthOf(clock.now());
  const rows = await queries
    .select({
      keyId: usageDaily.keyId,
      unit: usageDaily.unit,
      quantity: sql<string>`sum(${usageDaily.quantity})`,
    })
    .from(usageDaily)
    .where(
      and(
        accountId === undefined ? undefined : eq(usageDaily.accountId, accountId),
        inArray(usageDaily.keyId, [...ids]),
        gte(usageDaily.day, firstDay),
        lt(usageDaily.day, nextFirstDay),
      ),
    )
    .groupBy(usageDaily.keyId, usageDaily.unit);
  const used = new Map<string, Quantities>();
  for (const { keyId, unit, quantity } of rows)
    used.set(keyId, { ...used.get(keyId), [unit]: Number(quantity) });
  return used;
}

/** `used` for the units that have a budget. */
export function usedOf(budget: MonthlyBudget | null, used: Quantities = {}): Quantities {
  const units = Object.keys(budget ?? {}) as (keyof MonthlyBudget)[];
  return Object.fromEntries(units.map((unit) => [unit, used[unit] ?? 0]));
}
