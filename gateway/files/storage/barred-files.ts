import { ApiError } from "#gateway/platform/core/api-error.ts";
import { lockName, shareLock } from "#gateway/platform/database/account-rows.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, inArray, sql } from "#gateway/platform/database/drizzle.ts";
import { barredFiles } from "#gateway/platform/database/schema.ts";

/**
 * Barred files must not be kept, shared, copied or uploaded again. They are recognised by the sha256 of their
 * bytes. After a report, an owner bars a file in the account, or an operator in the whole installation.
 */
export type BarredBy = "account" | "installation";

/** The scope of files that are barred in all accounts. */
const installation = "installation";

/**
 * SQL: who barred the file of a row of `outputs` for its account; null: nobody. Columns are qualified with
 * `outputs`, so a query must not rename that table.
 */
export const outputBarredBy = sql<BarredBy | null>`(
  select case when bool_or(b.scope = ${installation}) then 'installation' when count(*) > 0 then 'account' end
  from barred_files b where b.sha256 = outputs.sha256 and b.scope in (outputs.account_id, ${installation}))`;

/** Refuses barred files. Throws `file_barred`. */
export async function assertNoneBarred(
  queries: Queries,
  accountId: string,
  hashes: readonly (string | undefined)[],
): Promise<void> {
  const by = await findBar(queries, accountId, hashes);
  if (by !== null) throw fileBarred(by);
}

/** Who barred any of these files for an account; null: nobody. */
export async function findBar(
  queries: Queries,
  accountId: string,
  hashes: readonly (string | undefined)[],
): Promise<BarredBy | null> {
  const known = hashes.filter((sha256) => sha256 !== undefined);
  if (known.length === 0) return null;
  const rows = await queries
    .select({ scope: barredFiles.scope })
    .from(barredFiles)
    .where(and(inArray(barredFiles.sha256, known), inArray(barredFiles.scope, [accountId, installation])));
  if (rows.length === 0) return null;
  return rows.some(({ scope }) => scope === installation) ? "installation" : "account";
}

/** The message says only who barred the file. It must not reveal whether other accounts have the file. */
export function fileBarred(by: BarredBy): ApiError {
  return new ApiError(
    "file_barred",
    by === "installation"
      ? "The operator of this gateway barred this file. It cannot be kept, shared, copied or uploaded."
      : "An owner of this account barred this file after a report. It cannot be kept, shared, copied or uploaded.",
  );
}

/**
 * Bars a hash in an account, or everywhere (`accountId` null). Waits for transactions that are storing such a
 * file, so that the removal afterwards finds the rows that they wrote.
 */
export async function barFile(queries: Queries, sha256: string, accountId: string | null): Promise<void> {
  await lockName(queries, lockOf(sha256));
  await queries
    .insert(barredFiles)
    .values({ sha256, scope: accountId ?? installation, accountId })
    .onConflictDoNothing();
}

/**
 * Prevents bars of these hashes until the transaction ends. Call it in the transaction that keeps files or
 * verifies an upload, before `assertNoneBarred` or `findBar`.
 */
export async function lockHashes(queries: Queries, hashes: readonly (string | undefined)[]): Promise<void> {
  const known = new Set(hashes.filter((sha256) => sha256 !== undefined));
  for (const sha256 of [...known].sort()) await shareLock(queries, lockOf(sha256));
}

function lockOf(sha256: string): string {
  return `file ${sha256}`;
}
