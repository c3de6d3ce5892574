import { sql } from "drizzle-orm";
import type { Logger } from "pino";
import { type Batch, createBatch } from "#gateway/database/batch.ts";
import type { Database, Queries } from "#gateway/database/database.ts";
import { usageDaily } from "#gateway/database/schema.ts";
import type { Usage } from "#gateway/providers/provider.ts";

export interface UsageEntry {
  /** The UTC date on which it ended, however late it is written. */
  day: string;
  accountId: string;
  /** Null for a signed-in user. */
  keyId: string | null;
  model: string;
  usage: Usage;
}

export type Meter = Batch<UsageEntry>;

/** Meters sync operations in batches; a prediction is metered by `recordUsage` in its own settling transaction. */
export function createMeter(database: Database, log: Logger): Meter {
  return createBatch("usage", log, (entries: UsageEntry[]) => recordUsage(database.queries, entries));
}

/** Today's date in UTC. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/** Adds to the account's quantities. */
export async function recordUsage(queries: Queries, entries: UsageEntry[]): Promise<void> {
  const sums = new Map<string, typeof usageDaily.$inferInsert>();
  for (const { day, accountId, keyId, model, usage } of entries) {
    const id = [day, accountId, model, usage.unit, keyId ?? ""].join("\n");
    const sum = sums.get(id);
    sums.set(id, {
      accountId,
      day,
      model,
      unit: usage.unit,
      keyId: keyId ?? "",
      quantity: (sum?.quantity ?? 0) + usage.quantity,
      requests: (sum?.requests ?? 0) + 1,
    });
  }
  if (sums.size === 0) return;
  await queries
    .insert(usageDaily)
    .values([...sums.values()])
    .onConflictDoUpdate({
      target: [usageDaily.accountId, usageDaily.day, usageDaily.model, usageDaily.unit, usageDaily.keyId],
      set: {
        quantity: sql`${usageDaily.quantity} + excluded.quantity`,
        requests: sql`${usageDaily.requests} + excluded.requests`,
      },
    });
}
