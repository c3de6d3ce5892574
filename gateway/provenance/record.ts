import { newId } from "#contract/ids.ts";
import type { Queries } from "#gateway/database/database.ts";
import { outputs } from "#gateway/database/schema.ts";
import type { StoredOutput } from "#gateway/database/tables/predictions.ts";

interface Made {
  accountId: string;
  runId: string;
  model: string;
  /** When the files are removed. */
  expiresAt: Date;
}

/** Records the files that a run made; again is no error. */
export async function recordOutputs(queries: Queries, made: Made, files: StoredOutput[]): Promise<void> {
  const rows = files.flatMap(({ key, contentType, sizeBytes, sha256 }, index) =>
    // Received by a process of the previous release, perhaps: it is not hashed again.
    sha256 === undefined
      ? []
      : [{ ...made, id: newId("output"), position: index + 1, key, contentType, sizeBytes, sha256 }],
  );
  if (rows.length > 0) await queries.insert(outputs).values(rows).onConflictDoNothing();
}
