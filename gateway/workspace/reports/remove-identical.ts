import { recordAudits } from "#gateway/access/accounts/audit.ts";
import { removeFilesOf } from "#gateway/files/storage/remove-files.ts";
import { expireIdentical } from "#gateway/files/uploads/expire.ts";
import type { Sweep } from "#gateway/platform/core/sweeps.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, inArray, type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import { keptOutputs, outputs, reports } from "#gateway/platform/database/schema.ts";
import type { StoredInput } from "#gateway/platform/database/tables/predictions.ts";
import type { WorkspaceContext } from "#gateway/workspace/context.ts";

/*
 * Removes all files with the same bytes as a reported file, wherever this installation stores them: outputs
 * of runs, kept copies, uploads, the inputs that runs and kept copies have stored, and the previews of all
 * these. Shares store no files.
 *
 * The decision is committed first, and from then on links to the file no longer open. The removal works in
 * batches. Each batch is a transaction that removes the bytes before it changes rows, so after a crash the
 * removal is simply repeated.
 */

/** The bytes to remove, and the account to remove them from; null: from all accounts. */
export interface Removal {
  sha256: string;
  accountId: string | null;
}

interface Gone {
  accountId: string;
  id: string;
  files: number;
}

const removalsAtOnce = 20;
const batchSize = 500;
/** An audit entry names at most this many ids. */
const maxNamed = 100;

/**
 * Continues removals until nothing is left, or only files of runs in progress: those are removed when the
 * runs have ended.
 */
export const removalSweep: Sweep<WorkspaceContext> = {
  kind: "reported_files",
  run: removeIdentical,
  oldestDue: () => `select min(least(case when status = 'removing' then decided_at end,
    case when operator_status = 'removing' then operator_decided_at end))
    from reports where status = 'removing' or operator_status = 'removing'`,
};

/**
 * Does one batch of each of some removals. Their order is random, so that removals which wait for a run in
 * progress do not delay the others. Returns true if more can be removed now.
 */
export async function removeIdentical(context: WorkspaceContext): Promise<boolean> {
  const { rows } = await context.database.queries.execute<{ sha256: string; account_id: string | null }>(sql`
    select * from (
      select distinct sha256, case when operator_status <> 'removing' then account_id end as account_id
      from reports where status = 'removing' or operator_status = 'removing') removals
    order by random() limit ${removalsAtOnce}`);
  let hasMore = false;
  for (const { sha256, account_id: accountId } of rows)
    hasMore = (await removeSome(context, { sha256, accountId })) || hasMore;
  return hasMore;
}

/** One batch of a removal, which is finished with its last file. Returns true if more can be removed now. */
export async function removeSome(context: WorkspaceContext, removal: Removal): Promise<boolean> {
  let removed = 0;
  for (const step of steps) {
    const gone = await removeBatch(context, removal, step);
    // The search of the next steps is slow, so it waits until this step has no full batch any more.
    if (gone === batchSize) return true;
    removed += gone;
  }
  if (await isAnyLeft(context.database.queries, removal)) return removed > 0;
  await finish(context, removal);
  return false;
}

type Step = (context: WorkspaceContext, queries: Queries, removal: Removal) => Promise<Gone[]>;

const steps: readonly Step[] = [
  removeOutputs,
  async (context, queries, { sha256, accountId }) => {
    const gone = await expireIdentical(context, queries, { sha256, accountId, limit: batchSize });
    return gone.map((upload) => ({ id: upload.id, accountId: upload.accountId, files: 1 }));
  },
  (context, queries, removal) => removeInputs(context, queries, removal, "predictions"),
  (context, queries, removal) => removeInputs(context, queries, removal, "kept_outputs"),
];

async function removeBatch(context: WorkspaceContext, removal: Removal, step: Step): Promise<number> {
  return context.database.transaction(async (queries) => {
    const gone = await step(context, queries, removal);
    if (gone.length > 0) await recordRemoved(queries, removal, gone);
    return gone.length;
  });
}

/**
 * Adds the removed files to the counts of their reports, and writes them into the audit logs of the accounts
 * that had them. A batch can have files of hundreds of accounts, so no statement is repeated for each.
 */
async function recordRemoved(
  queries: Queries,
  { sha256, accountId: scope }: Removal,
  gone: readonly Gone[],
): Promise<void> {
  const removed = [...Map.groupBy(gone, (row) => row.accountId)].map(([accountId, rows]) => ({
    accountId,
    files: rows.reduce((sum, row) => sum + row.files, 0),
    of: rows.slice(0, maxNamed).map(({ id }) => id),
  }));
  await queries.execute(sql`
    update ${reports} r set removed_files = r.removed_files + counted.files
    from json_to_recordset(${JSON.stringify(removed)}::json) counted ("accountId" text, files integer)
    where r.sha256 = ${sha256} and r.account_id = counted."accountId" and r.status = 'removing'`);
  if (scope === null) {
    const files = removed.reduce((sum, one) => sum + one.files, 0);
    await queries
      .update(reports)
      .set({ operatorRemovedFiles: sql`${reports.operatorRemovedFiles} + ${files}` })
      .where(and(eq(reports.sha256, sha256), eq(reports.operatorStatus, "removing")));
  }
  await recordAudits(
    queries,
    removed.map(({ accountId, files, of }) => ({
      accountId,
      actor: null,
      action: "report.files_removed",
      targetId: sha256,
      detail: { decided_by: scope === null ? "operator" : "owner", files, of },
    })),
  );
}

/** Outputs with these bytes: the file of the run and the kept copy, with the copies of its inputs. */
async function removeOutputs(context: WorkspaceContext, queries: Queries, removal: Removal): Promise<Gone[]> {
  const { rows } = await queries.execute<{
    id: string;
    account_id: string;
    key: string | null;
    kept_key: string | null;
    media: StoredInput[] | null;
  }>(sql`
    select o.id, o.account_id, o.key, k.key as kept_key, k.media
    from ${storedOutputs(removal)} limit ${batchSize} for update of o skip locked`);
  const due = rows.map(({ id, account_id: accountId, key, kept_key: keptKey, media }) => ({
    id,
    accountId,
    keys: [key, keptKey, ...(media ?? []).map((file) => file.key)].filter((each) => each !== null),
  }));
  const gone = await removeFilesOf(context, queries, due, ({ keys }) => keys);
  const ids = gone.map(({ id }) => id);
  if (ids.length > 0) {
    await queries.delete(keptOutputs).where(inArray(keptOutputs.outputId, ids));
    await queries.update(outputs).set({ key: null, manifest: null }).where(inArray(outputs.id, ids));
  }
  return gone.map(({ id, accountId, keys }) => ({ id, accountId, files: keys.length }));
}

/**
 * SQL: outputs `o` with their kept copies `k`. The index of hashes begins with the account, so the query goes
 * through the accounts.
 */
function storedOutputs({ sha256, accountId }: Removal): SQL {
  return sql`accounts a
    join outputs o on hashtextextended(o.account_id || o.sha256, 0) = hashtextextended(a.id || ${sha256}::text, 0)
      and o.account_id = a.id and o.sha256 = ${sha256}
    left join kept_outputs k on k.output_id = o.id
    where (o.key is not null or k.key is not null) ${ofAccount(sql`a.id`, accountId)}`;
}

/** Removes input files with these bytes, of ended predictions or of kept outputs. */
async function removeInputs(
  context: WorkspaceContext,
  queries: Queries,
  removal: Removal,
  table: keyof typeof withInputs,
): Promise<Gone[]> {
  const { name, id, isStored } = withInputs[table];
  const { sha256, accountId } = removal;
  const { rows } = await queries.execute<{ id: string; account_id: string; media: StoredInput[] }>(sql`
    select ${id} as id, t.account_id, t.media from ${name} t
    where ${isStored} and ${hasInput(sha256)} ${ofAccount(sql`t.account_id`, accountId)}
    limit ${batchSize} for update skip locked`);
  const due = rows.map(({ account_id: owner, ...row }) => ({ ...row, accountId: owner }));
  const keysOf = ({ media }: { media: StoredInput[] }) =>
    media.filter((file) => file.sha256 === sha256).map(({ key }) => key);
  const gone = await removeFilesOf(context, queries, due, keysOf);
  if (gone.length > 0)
    await queries.execute(sql`
      update ${name} t set media = coalesce((
        select jsonb_agg(file order by place) from jsonb_array_elements(t.media) with ordinality stored (file, place)
        where file ->> 'sha256' is distinct from ${sha256}), '[]')
      where ${id} = any (${sql.param(gone.map((row) => row.id))}::text[])`);
  return gone.map((row) => ({ id: row.id, accountId: row.accountId, files: keysOf(row).length }));
}

/**
 * The tables that store the input files of runs, each with the condition for rows whose files are still
 * stored.
 */
const withInputs = {
  predictions: {
    name: sql`predictions`,
    id: sql`t.id`,
    isStored: sql`t.expires_at is not null and t.data_removed_at is null`,
  },
  kept_outputs: { name: sql`kept_outputs`, id: sql`t.output_id`, isStored: sql`true` },
};

function hasInput(sha256: string): SQL {
  return sql`t.media @> ${JSON.stringify([{ sha256 }])}::jsonb`;
}

function ofAccount(column: SQL, accountId: string | null): SQL {
  return accountId === null ? sql`` : sql`and ${column} = ${accountId}`;
}

/**
 * Whether files with these bytes are left, including those of runs in progress, which still need their
 * inputs.
 */
async function isAnyLeft(queries: Queries, removal: Removal): Promise<boolean> {
  const { sha256, accountId } = removal;
  const owned = ofAccount(sql`t.account_id`, accountId);
  const { rows } = await queries.execute<{ left: boolean }>(sql`
    select exists (select from ${storedOutputs(removal)})
      or exists (select from uploads t where t.status in ('uploaded', 'verified') and t.sha256 = ${sha256} ${owned})
      or exists (select from predictions t where t.status in ('starting', 'processing') and ${hasInput(sha256)} ${owned})
      or exists (select from predictions t where ${withInputs.predictions.isStored} and ${hasInput(sha256)} ${owned})
      or exists (select from kept_outputs t where ${hasInput(sha256)} ${owned}) as left`);
  return rows[0]?.left ?? false;
}

async function finish({ database }: WorkspaceContext, { sha256, accountId }: Removal): Promise<void> {
  await database.transaction(async (queries) => {
    const same = eq(reports.sha256, sha256);
    await queries
      .update(reports)
      .set({ status: "removed" })
      .where(
        and(
          same,
          eq(reports.status, "removing"),
          accountId === null ? undefined : eq(reports.accountId, accountId),
        ),
      );
    if (accountId === null)
      await queries
        .update(reports)
        .set({ operatorStatus: "removed" })
        .where(and(same, eq(reports.operatorStatus, "removing")));
  });
}
