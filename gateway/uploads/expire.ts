import { and, eq, inArray, isNull, lte, or, type SQL } from "drizzle-orm";
import type { Context } from "#gateway/context.ts";
import { clock } from "#gateway/core/clock.ts";
import type { Sweep } from "#gateway/core/sweeps.ts";
import type { Queries } from "#gateway/database/database.ts";
import { uploads } from "#gateway/database/schema.ts";
import type { UploadRow } from "./queries.ts";
import { removeObjects } from "./storage-keys.ts";

const batchSize = 100;

/** Expires pending uploads whose URL has expired, and received ones after their retention, with their bytes. */
export async function expireUploads(context: Context): Promise<void> {
  await context.database.queries
    .update(uploads)
    .set({ status: "expired" })
    .where(and(urlLapsed(), isNull(uploads.storageKey)));
  while ((await expireBatch(context, or(urlLapsed(), objectLapsed()))) === batchSize);
}

export const uploadSweep: Sweep = { name: "uploads", run: expireUploads };

/** Expires one pending upload if its URL has expired. */
export async function expirePending(context: Context, id: string): Promise<void> {
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
  return and(eq(uploads.status, "pending"), lte(uploads.urlExpiresAt, clock.date()));
}

function objectLapsed(): SQL | undefined {
  return and(inArray(uploads.status, ["uploaded", "verified"]), lte(uploads.objectExpiresAt, clock.date()));
}

/** One batch; several processes may do this at once. */
async function expireBatch(context: Context, condition: SQL | undefined): Promise<number> {
  return context.database.transaction(async (queries) => {
    const due = await queries
      .select()
      .from(uploads)
      .where(condition)
      .limit(batchSize)
      .for("update", { skipLocked: true });
    await expireRows(context, queries, due);
    return due.length;
  });
}

/** Bytes are removed first, so that no file remains without a row. */
async function expireRows(context: Context, queries: Queries, due: UploadRow[]): Promise<void> {
  for (const row of due) await removeObjects(context, row);
  if (due.length === 0) return;
  await queries
    .update(uploads)
    .set({ status: "expired", storageKey: null })
    .where(
      inArray(
        uploads.id,
        due.map(({ id }) => id),
      ),
    );
}
