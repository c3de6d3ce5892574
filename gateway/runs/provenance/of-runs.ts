import type { Manifest } from "#contract/outputs.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, inArray, isNotNull } from "#gateway/platform/database/drizzle.ts";
import { outputs } from "#gateway/platform/database/schema.ts";

/** What is already known of the files of a run, by their position among them from 1. */
export type Manifests = ReadonlyMap<number, Manifest>;

/** What was read so far of the files of these runs; nothing is read for it. */
export async function manifestsOfRuns(
  queries: Queries,
  runIds: readonly string[],
): Promise<(runId: string) => Manifests> {
  const rows =
    runIds.length === 0
      ? []
      : await queries
          .select({ runId: outputs.runId, position: outputs.position, manifest: outputs.manifest })
          .from(outputs)
          .where(and(inArray(outputs.runId, [...runIds]), isNotNull(outputs.manifest)));
  const byRun = new Map<string, Map<number, Manifest>>();
  for (const { runId, position, manifest } of rows) {
    const known = byRun.get(runId) ?? new Map<number, Manifest>();
    if (manifest) byRun.set(runId, known.set(position, manifest));
  }
  return (runId) => byRun.get(runId) ?? none;
}

const none: Manifests = new Map();
