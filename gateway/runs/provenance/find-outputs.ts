import { type BarredBy, fileBarred, outputBarredBy } from "#gateway/files/storage/barred-files.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, inArray } from "#gateway/platform/database/drizzle.ts";
import { outputs } from "#gateway/platform/database/schema.ts";
import { type KeptRow, readKept } from "./of-runs.ts";
import type { OutputRow } from "./record.ts";

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

/** Throws `output_not_found`, also for another account's id. */
export async function findOutput(queries: Queries, accountId: string, id: string): Promise<FoundOutput> {
  const [found] = await findOutputs(queries, accountId, [id]);
  if (!found) throw outputNotFound(id);
  return found;
}

export function outputNotFound(id: string): ApiError {
  return new ApiError(
    "output_not_found",
    `There is no output ${id}. GET /v1/outputs lists stored outputs, or kept ones with kept=true.`,
  );
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
