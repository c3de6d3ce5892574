import { isId } from "#contract/ids.ts";
import type { Manifest } from "#contract/outputs.ts";
import { type BarredBy, fileBarred, outputBarredBy } from "#gateway/files/storage/barred-files.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import {
  and,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  isNull,
  or,
  sql,
} from "#gateway/platform/database/drizzle.ts";
import { keptOutputs, outputs } from "#gateway/platform/database/schema.ts";
import type { OutputRow } from "./record.ts";

/** The known manifests of a run's files, by their position from 1. */
export type Manifests = ReadonlyMap<number, Manifest>;

const none: Manifests = new Map();

/** The stored object of an output, and when it is removed. */
export interface StoredFile {
  key: string;
  /** Null: kept until somebody removes it. */
  endsAt: Date | null;
}

export interface FoundOutput extends OutputRow {
  /** Null: the file was removed, or it is barred. */
  file: StoredFile | null;
  /** Who barred the file's bytes from being kept, shared and copied; null: nobody. */
  barred: BarredBy | null;
}

/** Without the inputs: they are long, and only the answer about a single output shows its input. */
const { input: _input, media: _media, words: _words, ...listed } = getTableColumns(keptOutputs);
export const keptColumns = listed;

export type KeptRow = Omit<typeof keptOutputs.$inferSelect, "input" | "media" | "words">;

/** Matches kept outputs that were neither removed nor have reached the end of their retention. */
export const isKeptNow = and(
  isNull(keptOutputs.goesAt),
  or(isNull(keptOutputs.keptUntil), gt(keptOutputs.keptUntil, sql`now()`)),
);

/** The account's outputs with these ids, in this order; unknown ids are left out. */
export async function findOutputs(
  queries: Queries,
  accountId: string,
  ids: readonly string[],
): Promise<FoundOutput[]> {
  const [rows, kept] = await Promise.all([
    queries
      .select({ row: outputs, barred: outputBarredBy })
      .from(outputs)
      .where(and(eq(outputs.accountId, accountId), inArray(outputs.id, [...ids]))),
    readKept(queries, ids),
  ]);
  const byId = new Map(
    rows.map(({ row, barred }) => [
      row.id,
      { ...row, barred, file: barred === null ? storedFile(row, kept.get(row.id)) : null },
    ]),
  );
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Which of these outputs are kept, by id. */
export async function readKept(queries: Queries, ids: readonly string[]): Promise<Map<string, KeptRow>> {
  if (ids.length === 0) return new Map();
  const rows = await queries
    .select(keptColumns)
    .from(keptOutputs)
    .where(and(inArray(keptOutputs.outputId, [...ids]), isKeptNow));
  return new Map(rows.map((row) => [row.outputId, row]));
}

/** Throws `output_not_found`, also for another account's id. */
export async function findOutput(queries: Queries, accountId: string, id: string): Promise<FoundOutput> {
  const [found] = await findOutputs(queries, accountId, [id]);
  if (!found) throw outputNotFound(id);
  return found;
}

export function outputNotFound(id: string): ApiError {
  const advice = isId("prediction", id)
    ? `That is a prediction: GET /v1/outputs?prediction_id=${id} lists its outputs with their ids (out_…).`
    : "GET /v1/outputs lists stored outputs, or kept ones with kept=true.";
  return new ApiError("output_not_found", `There is no output ${id}. ${advice}`);
}

/**
 * The file of an output that somebody wants to keep, share or copy: all three pass this check. Throws
 * `file_barred`, and `payload_purged` for a file that was removed.
 */
export function fileToPassOn({ file, barred }: FoundOutput): StoredFile {
  if (barred !== null) throw fileBarred(barred);
  if (file === null) throw outputFileRemoved();
  return file;
}

export function outputFileRemoved(): ApiError {
  return new ApiError(
    "payload_purged",
    "The file of this output was removed: outputs are stored for a day unless somebody keeps them. Run it again.",
  );
}

/** The kept copy is preferred, because it outlives the run's own file. */
function storedFile({ key, expiresAt }: OutputRow, kept: KeptRow | undefined): StoredFile | null {
  if (kept) return { key: kept.key, endsAt: kept.keptUntil };
  return key === null || expiresAt <= clock.date() ? null : { key, endsAt: expiresAt };
}

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
