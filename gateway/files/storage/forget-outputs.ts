import type { Queries } from "#gateway/platform/database/database.ts";
import { and, inArray, isNotNull, isNull, or, sql } from "#gateway/platform/database/drizzle.ts";
import { outputs } from "#gateway/platform/database/schema.ts";

const isCopied = sql`exists (select from kept_outputs where kept_outputs.output_id = ${outputs.id})`;

/** Whether there is a file of an output: its run's own, or a kept copy. */
export const hasFile = or(isNotNull(outputs.key), isCopied);

/** The files of these runs were removed: of each stays its hash, and what was read from it only while a copy is kept. */
export async function forgetOutputs(queries: Queries, runIds: string[]): Promise<void> {
  await queries
    .update(outputs)
    .set({ key: null, manifest: sql`case when ${isCopied} then ${outputs.manifest} end` })
    .where(inArray(outputs.runId, runIds));
}

/** The kept copies of these outputs were removed, and their rows. */
export async function forgetCopies(queries: Queries, ids: string[]): Promise<void> {
  await queries
    .update(outputs)
    .set({ manifest: null })
    .where(and(inArray(outputs.id, ids), isNull(outputs.key)));
}
