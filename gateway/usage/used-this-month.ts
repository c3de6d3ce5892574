import { and, gte, inArray, lt, sql } from "drizzle-orm";
import type { MonthlyBudget, Quantities } from "#contract/keys.ts";
import { clock } from "#gateway/core/clock.ts";
import type { Database, Queries } from "#gateway/database/database.ts";
import { usageDaily } from "#gateway/database/schema.ts";
import type { Meter } from "./meter.ts";
import { monthOf } from "./month.ts";

interface BudgetedKey {
  id: string;
  monthlyBudget: MonthlyBudget | null;
}

/**
 * What the keys with a budget among `keys` used since the first of this month (UTC), by key id. One query for all of
 * them, none when no key has a budget. Metered runs that this process has not written yet are written first.
 */
export async function usedThisMonth(
  { database, meter }: { database: Database; meter: Meter },
  keys: readonly BudgetedKey[],
): Promise<Map<string, Quantities>> {
  if (keys.every((key) => key.monthlyBudget === null)) return new Map();
  await meter.flush();
  return readUsedThisMonth(database.queries, keys);
}

/** The same from the database alone, in the caller's transaction. */
export async function readUsedThisMonth(
  queries: Queries,
  keys: readonly BudgetedKey[],
): Promise<Map<string, Quantities>> {
  const ids = keys.filter((key) => key.monthlyBudget !== null).map((key) => key.id);
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
      and(inArray(usageDaily.keyId, ids), gte(usageDaily.day, firstDay), lt(usageDaily.day, nextFirstDay)),
    )
    .groupBy(usageDaily.keyId, usageDaily.unit);
  const used = new Map<string, Quantities>();
  for (const { keyId, unit, quantity } of rows)
    used.set(keyId, { ...used.get(keyId), [unit]: Number(quantity) });
  return used;
}
