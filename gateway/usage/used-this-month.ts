import { and, gte, inArray, sql } from "drizzle-orm";
import type { MonthlyBudget, Quantities } from "#contract/account.ts";
import type { Database } from "#gateway/database/database.ts";
import { usageDaily } from "#gateway/database/schema.ts";
import type { Meter } from "./meter.ts";

interface BudgetedKey {
  id: string;
  monthlyBudget: MonthlyBudget | null;
}

/** The calendar month (UTC) of a moment, as `2026-11`. */
export function monthOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 7);
}

/**
 * What those of `keys` that have a budget used since the first of this month (UTC), by key id. One query for all of
 * them, none when no key has a budget. What this process has metered and not written yet is written first.
 */
export async function usedThisMonth(
  { database, meter }: { database: Database; meter: Meter },
  keys: readonly BudgetedKey[],
): Promise<Map<string, Quantities>> {
  const ids = keys.filter((key) => key.monthlyBudget !== null).map((key) => key.id);
  if (ids.length === 0) return new Map();
  await meter.flush();
  const rows = await database.queries
    .select({
      keyId: usageDaily.keyId,
      unit: usageDaily.unit,
      quantity: sql<number>`sum(${usageDaily.quantity})`,
    })
    .from(usageDaily)
    .where(and(inArray(usageDaily.keyId, ids), gte(usageDaily.day, `${monthOf(Date.now())}-01`)))
    .groupBy(usageDaily.keyId, usageDaily.unit);
  const used = new Map<string, Quantities>();
  for (const { keyId, unit, quantity } of rows)
    used.set(keyId, { ...used.get(keyId), [unit]: Number(quantity) });
  return used;
}
