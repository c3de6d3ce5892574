import { newId } from "#contract/ids.ts";
import type { Queries } from "#gateway/database/database.ts";
import { sql } from "#gateway/database/drizzle.ts";
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

/**
 * Records the files that a run made, and what of them is to be copied to the account's destinations, in one statement: no file is
 * recorded without its copies, wherever a process dies, and who has no destination pays for a look into an empty index. Again is
 * no error.
 */
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
  if (rows.length === 0) return;
  const recording = queries
    .insert(outputs)
    .values(rows)
    .onConflictDoNothing()
    .returning({ id: outputs.id, model: outputs.model });
  // A copy's id has the time of its output's. A destination that is being deleted is waited for, and then has no copies.
  await queries.execute(sql`
    with recorded as ${recording},
    wanting as (
      select id, status, automatic, models from destinations
      where account_id = ${made.accountId} and automatic <> 'off' for key share
    )
    insert into copies (id, account_id, destination_id, output_id, trigger, next_attempt_at)
    select 'cpy_' || substr(o.id, 5, 10) || substr(md5(d.id || o.id), 1, 16), ${made.accountId}, d.id, o.id, 'automatic',
      case d.status when 'active' then now() end
    from recorded o join wanting d on d.automatic = 'all' or o.model = any (d.models)`);
}
