import type { Manifest } from "#contract/outputs.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import {
  and,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  isNull,
  or,
  sql,
} from "#gateway/platform/database/drizzle.ts";
import { keptOutputs, outputs } from "#gateway/platform/database/schema.ts";

/** The known manifests of a run's files, by their position from 1. */
export type Manifests = ReadonlyMap<number, Manifest>;

/** The manifests of these runs that were read so far; reads no files. */
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

/** Without the inputs: they are long, and only the answer about a single output shows its input. */
const { input: _input, media: _media, words: _words, ...listed } = getTableColumns(keptOutputs);
export const keptColumns = listed;
export type KeptRow = Omit<typeof keptOutputs.$inferSelect, "input" | "media" | "words">;

/** Matches kept outputs that were neither removed nor have reached the end of their retention. */
export const isKeptNow = and(
  isNull(keptOutputs.goesAt),
  or(isNull(keptOutputs.keptUntil), gt(keptOutputs.keptUntil, sql`now()`)),
);

/** Which of these outputs are kept, by id. */
export async function readKept(queries: Queries, ids: readonly string[]): Promise<Map<string, KeptRow>> {
  if (ids.length === 0) return new Map();
  const rows = await queries
    .select(keptColumns)
    .from(keptOutputs)
    .where(and(inArray(keptOutputs.outputId, [...ids]), isKeptNow));
  return new Map(rows.map((row) => [row.outputId, row]));
}
