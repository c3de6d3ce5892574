import type { FilesContext } from "#gateway/files/context.ts";
import { removeFilesOf } from "#gateway/files/storage/remove-files.ts";
import type { Sweep } from "#gateway/platform/core/sweeps.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, inArray, lte, type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import { agedRowSweep } from "#gateway/platform/database/row-sweep.ts";
import { uploads } from "#gateway/platform/database/schema.ts";
import type { UploadRow } from "./read.ts";
import { keysIn } from "./receive.ts";

const batchSize = 500;

/** Expires pending uploads whose URL has expired, and received ones after their retention, with their bytes. */
export const uploadSweep: Sweep<FilesContext> = {
  kind: "uploads",
  run: async (context) => {
    const expired = [await expireBatch(context, urlLapsed()), await expireBatch(context, objectLapsed())];
    return expired.includes(batchSize);
  },
  oldestDue: () => `select least(
    (select min(url_expires_at) from uploads where status = 'pending'),
    (select min(object_expires_at) from uploads where status in ('uploaded', 'verified')))`,
};

/** Expires one pending upload if its URL has expired. */
export async function expirePending(context: FilesContext, id: string): Promise<void> {
  await context.database.transaction(async (queries) => {
    const due = await queries
      .select()
      .from(uploads)
      .where(and(eq(uploads.id, id), urlLapsed()))
      .for("update");
    await expireRows(context, queries, due);
  });
}

function urlLapsed(): SQL | undefined {
  return and(eq(uploads.status, "pending"), lte(uploads.urlExpiresAt, sql`now()`));
}

function objectLapsed(): SQL | undefined {
  return and(inArray(uploads.status, ["uploaded", "verified"]), lte(uploads.objectExpiresAt, sql`now()`));
}

/** Expires one batch; several processes may do this at once. */
async function expireBatch(context: FilesContext, condition: SQL | undefined): Promise<number> {
  return context.database.transaction(async (queries) => {
    const due = await queries
      .select()
      .from(uploads)
      .where(condition)
      .limit(batchSize)
      .for("update", { skipLocked: true });
    return (await expireRows(context, queries, due)).length;
  });
}

/**
 * Removes a batch of received uploads that have these bytes, in one account or in all (null), as if they had
 * expired. Returns the removed ones.
 */
export async function expireIdentical(
  context: FilesContext,
  queries: Queries,
  { sha256, accountId, limit }: { sha256: string; accountId: string | null; limit: number },
): Promise<UploadRow[]> {
  const due = await queries
    .select()
    .from(uploads)
    .where(
      and(
        inArray(uploads.status, ["uploaded", "verified"]),
        eq(uploads.sha256, sha256),
        accountId === null ? undefined : eq(uploads.accountId, accountId),
      ),
    )
    .limit(limit)
    .for("update", { skipLocked: true });
  return expireRows(context, queries, due);
}

/** Removes bytes first, so that no file remains without a row. Returns the uploads that expired. */
async function expireRows(context: FilesContext, queries: Queries, due: UploadRow[]): Promise<UploadRow[]> {
  const gone = await removeFilesOf(context, queries, due, ({ storageKey }) => keysIn(storageKey));
  const ids = gone.map(({ id }) => id);
  if (ids.length > 0)
    await queries
      .update(uploads)
      .set({ status: "expired", storageKey: null })
      .where(inArray(uploads.id, ids));
  return gone;
}

/** Removes only uploads without bytes. */
export const uploadHistorySweep = agedRowSweep({
  kind: "upload_history",
  table: "uploads",
  idKind: "upload",
  at: "created_at",
  days: ({ history }) => history.days,
  mayGo: "status in ('expired', 'rejected') and storage_key is null",
});
