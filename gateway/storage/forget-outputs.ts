import type { Queries } from "#gateway/database/database.ts";
import { inArray } from "#gateway/database/drizzle.ts";
import { outputs } from "#gateway/database/schema.ts";

/** The files of these runs were removed: of each stays its hash, and nothing that was read from it. */
export async function forgetOutputs(queries: Queries, runIds: string[]): Promise<void> {
  await queries.update(outputs).set({ key: null, manifest: null }).where(inArray(outputs.runId, runIds));
}
