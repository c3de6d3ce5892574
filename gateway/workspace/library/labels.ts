import type { KeptLabels } from "#contract/outputs.ts";
import type { Context } from "#gateway/context.ts";
import { and, count, desc, eq, sql } from "#gateway/platform/database/drizzle.ts";
import { keptOutputs } from "#gateway/platform/database/schema.ts";
import { isKeptNow } from "#gateway/runs/provenance/kept-rows.ts";

const mostLabels = 200;

/** The labels of the account's library, the most used first. */
export async function listLabels({ database }: Context, accountId: string): Promise<KeptLabels> {
  const used = database.queries
    .select({ label: sql<string>`unnest(${keptOutputs.labels})`.as("label") })
    .from(keptOutputs)
    .where(and(eq(keptOutputs.accountId, accountId), isKeptNow))
    .as("used");
  const data = await database.queries
    .select({ label: used.label, count: count() })
    .from(used)
    .groupBy(used.label)
    .orderBy(desc(count()), used.label)
    .limit(mostLabels);
  return { object: "list", data };
}
