import { newId } from "#contract/ids.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";
import { executePrepared } from "#gateway/platform/database/prepared.ts";
import { outputs } from "#gateway/platform/database/schema.ts";
import type { StoredOutput } from "#gateway/platform/database/tables/predictions.ts";

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
 * Records the files that a run made, and what of them is to be copied to the account's destinations: call it in a transaction, so that
 * no file is recorded without its copies, wherever a process dies. Who has no destination pays for a look into an empty index. Again
 * is no error.
 */
export async function recordOutputs(queries: Queries, made: Made, files: StoredOutput[]): Promise<void> {
  // Received by a process of the previous release, perhaps, without a hash: it is not hashed again.
  const hashed = files.flatMap((file, index) => (file.sha256 ? { ...file, position: index + 1 } : []));
  if (hashed.length === 0) return;
  // Of one moment, so they are sorted: lists have the files of a run in their order.
  const ids = hashed.map(() => newId("output")).sort();
  const { accountId } = made;
  // A list for each column: with a parameter for each value, and planned each time, it was a sixth of what settling costs.
  const { rows } = await executePrepared(
    queries,
    sql`
    with recorded as (
      insert into outputs (id, account_id, run_id, position, model, api_type, svc_region, sandbox, key_id, user_id, metadata,
        sha256, content_type, size_bytes, key, expires_at)
      select id, ${accountId}, ${made.runId}, position, ${made.model}, ${made.apiType ?? null}, ${made.svcRegion ?? null},
        ${made.sandbox ?? false}::boolean, ${made.keyId ?? null}, ${made.userId ?? null},
        ${made.metadata ? JSON.stringify(made.metadata) : null}::jsonb, sha256, content_type, size_bytes, key,
        ${made.expiresAt.toISOString()}::timestamptz
      from unnest(${sql.param(ids)}::text[], ${list(hashed, "position")}::smallint[], ${list(hashed, "sha256")}::text[],
        ${list(hashed, "contentType")}::text[], ${list(hashed, "sizeBytes")}::bigint[], ${list(hashed, "key")}::text[])
        as file (id, position, sha256, content_type, size_bytes, key)
      on conflict do nothing
    )
    select id from destinations where account_id = ${accountId} and automatic <> 'off' for key share`,
  );
  if (rows.length > 0) await copyTo(queries, accountId, ids);
}

/** A copy's id has the time of its output's. A destination that is being deleted was waited for, and then has no copies. */
async function copyTo(queries: Queries, accountId: string, outputIds: string[]): Promise<void> {
  await queries.execute(sql`
    insert into copies (id, account_id, destination_id, output_id, trigger, next_attempt_at)
    select 'cpy_' || substr(o.id, 5, 10) || substr(md5(d.id || o.id), 1, 16), ${accountId}, d.id, o.id, 'automatic',
      case d.status when 'active' then now() end
    from ${outputs} o join destinations d on d.automatic = 'all' or o.model = any (d.models)
    where o.id = any (${sql.param(outputIds)}::text[]) and d.account_id = ${accountId} and d.automatic <> 'off'`);
}

function list<File extends StoredOutput>(files: readonly File[], column: keyof File) {
  return sql.param(files.map((file) => file[column]));
}

export type OutputRow = typeof outputs.$inferSelect;
/** One with a file to read: its run's, or the kept one. */
export type StoredRow = OutputRow & { key: string };
