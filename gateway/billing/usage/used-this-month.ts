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
 * This month's usage (UTC) of the keys in `keys` that have a budget, with that of rules which act as them, by key id;
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
    .select({ id: apiKeys.id, owner: apiKeys.userId })
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
  const payers = [...budgeted.map(({ id }) => ({ id, owner: id })), ...keys];
  const used = await readUsed(
    sources.database.queries,
    payers.map(({ id }) => id),
    accountId,
  );
  return sumsOf(payers, used);
}

/** The usage of payers together, by their owner. */
function sumsOf(
  payers: readonly { id: string; owner: string | null }[],
  used: ReadonlyMap<string, Quantities>,
): Map<string, Quantities> {
  const total = new Map<string, Quantities>();
  for (const { id, owner } of payers) {
    if (owner === null) continue;
    const sums: Quantities = { ...total.get(owner) };
    for (const [unit, quantity] of Object.entries(used.get(id) ?? {}))
      sums[unit as keyof Quantities] = (sums[unit as keyof Quantities] ?? 0) + quantity;
    total.set(owner, sums);
  }
  return total;
}

/** Like `usedThisMonth`, but reads only what is written, in the caller's transaction. */
export async function readUsedThisMonth(
  queries: Queries,
  keys: readonly BudgetedKey[],
): Promise<Map<string, Quantities>> {
  const ids = keys.filter((key) => key.monthlyBudget !== null).map((key) => key.id);
  if (ids.length === 0) return new Map();
  const rules = await queries
    .select({ id: apiKeys.id, owner: apiKeys.madeBy })
    .from(apiKeys)
    .where(and(inArray(apiKeys.madeBy, ids), eq(apiKeys.boundTo, "exchange")));
  const payers = [...ids.map((id) => ({ id, owner: id })), ...rules];
  return sumsOf(
    payers,
    await readUsed(
      queries,
      payers.map(({ id }) => id),
    ),
  );
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
