import { newId } from "#contract/ids.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";
import { executePrepared } from "#gateway/platform/database/prepared.ts";
import { agedRowSweep } from "#gateway/platform/database/row-sweep.ts";
import { outputs } from "#gateway/platform/database/schema.ts";
import type { ReceiptFacts, StoredOutput } from "#gateway/platform/database/tables/predictions.ts";

/** The caller of a run, its region and its metadata. */
export type MadeBy = Pick<
  typeof outputs.$inferInsert,
  "accountId" | "model" | "apiType" | "svcRegion" | "sandbox" | "keyId" | "userId" | "metadata"
>;

interface Made extends MadeBy {
  runId: string;
  /** When the files are removed. */
  expiresAt: Date;
  /** The receipt of a sync run. */
  receipt?: ReceiptFacts;
}

/**
 * Records the files that a run made, and queues copies to the account's destinations. Call it in a
 * transaction, so that no file is recorded without its copies, wherever a process dies. Without a destination
 * this costs one look into an empty index. Calling it again is safe.
 */
export async function recordOutputs(queries: Queries, made: Made, files: StoredOutput[]): Promise<void> {
  // A process of the previous release may have received the file without hashing it; such a file gets no
  // hash.
  const hashed = files.flatMap((file, index) => (file.sha256 ? { ...file, position: index + 1 } : []));
  if (hashed.length === 0) return;
  // The ids have the same timestamp, so they are sorted: lists then show a run's files in order.
  const ids = hashed.map(() => newId("output")).sort();
  const { accountId } = made;
  // One list per column, because a statement with a parameter per value is planned at each call: that took a
  // sixth of the time to settle a run.
  const { rows } = await executePrepared(
    queries,
    sql`
    with recorded as (
      insert into outputs (id, account_id, run_id, position, model, api_type, svc_region, sandbox, key_id, user_id, metadata,
        sha256, content_type, size_bytes, key, expires_at, receipt)
      select id, ${accountId}, ${made.runId}, position, ${made.model}, ${made.apiType ?? null}, ${made.svcRegion ?? null},
        ${made.sandbox ?? false}::boolean, ${made.keyId ?? null}, ${made.userId ?? null},
        ${made.metadata ? JSON.stringify(made.metadata) : null}::jsonb, sha256, content_type, size_bytes, key,
        ${made.expiresAt.toISOString()}::timestamptz,
        case position when 1 then ${made.receipt ? JSON.stringify(made.receipt) : null}::jsonb end
      from unnest(${sql.param(ids)}::text[], ${list(hashed, "position")}::smallint[], ${list(hashed, "sha256")}::text[],
        ${list(hashed, "contentType")}::text[], ${list(hashed, "sizeBytes")}::bigint[], ${list(hashed, "key")}::text[])
        as file (id, position, sha256, content_type, size_bytes, key)
      on conflict do nothing
    )
    select id from destinations where account_id = ${accountId} and automatic <> 'off' for key share`,
  );
  if (rows.length > 0) await copyTo(queries, accountId, ids);
}

/**
 * The id of a copy has the timestamp of its output. The query waits for a destination that is being deleted,
 * and then makes no copies for it.
 */
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
/** An output with a file to read: the run's or the kept one. */
export type StoredRow = OutputRow & { key: string };

/** Hashes of removed files are kept as long as the audit log, those of kept files as long as the file. */
export const outputHistorySweep = agedRowSweep({
  kind: "outputs",
  table: "outputs",
  idKind: "output",
  at: "created_at",
  days: ({ history }) => history.auditDays,
  mayGo: "key is null and not exists (select from kept_outputs where output_id = outputs.id)",
});
