import { newId } from "#contract/ids.ts";
import type { Queries } from "#gateway/database/database.ts";
import { outputs } from "#gateway/database/schema.ts";
import type { StoredOutput } from "#gateway/database/tables/predictions.ts";

/** Who asked for a run, where and with what. */
export type MadeBy = Pick<
  typeof outputs.$inferInsert,
  "accountId" | "model" | "apiType" | "svcRegion" | "sandbox" | "keyId" | "userId" | "metadata"
>;

interface Made extends MadeBy {
  runId: string;
  /** When the files are removed. */
  expiresAt: Date;
}

/** Records the files that a run made; again is no error. */
export async function recordOutputs(queries: Queries, made: Made, files: StoredOutput[]): Promise<void> {
  // Of one moment, so they are sorted: lists have the files of a run in their order.
  const ids = files.map(() => newId("output")).sort();
  const rows = files.flatMap(({ key, contentType, sizeBytes, sha256 }, index) =>
    // Received by a process of the previous release, perhaps: it is not hashed again.
    sha256 === undefined
      ? []
      : [
          {
            ...made,
            id: ids[index] ?? newId("output"),
            position: index + 1,
            key,
            contentType,
            sizeBytes,
            sha256,
          },
        ],
  );
  if (rows.length > 0) await queries.insert(outputs).values(rows).onConflictDoNothing();
}
