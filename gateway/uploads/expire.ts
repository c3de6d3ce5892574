import { and, eq, inArray, lte } from "drizzle-orm";
import type { Context } from "#gateway/context.ts";
import { uploads } from "#gateway/database/schema.ts";

const batchSize = 100;

/** Expires pending uploads whose URL has lapsed, and received ones whose time is up, with their bytes. */
export async function expireUploads(context: Context): Promise<void> {
  await context.database.queries
    .update(uploads)
    .set({ status: "expired" })
    .where(and(eq(uploads.status, "pending"), lte(uploads.urlExpiresAt, new Date())));
  while ((await expireObjects(context)) === batchSize);
}

/** One batch; several processes may do this at once. Bytes go first: a row never forgets bytes that are still there. */
async function expireObjects(context: Context): Promise<number> {
  return context.database.transaction(async (queries) => {
    const due = await queries
      .select({ id: uploads.id, storageKey: uploads.storageKey })
      .from(uploads)
      .where(and(inArray(uploads.status, ["uploaded", "verified"]), lte(uploads.objectExpiresAt, new Date())))
      .limit(batchSize)
      .for("update", { skipLocked: true });
    for (const { storageKey } of due) if (storageKey !== null) await context.store.delete(storageKey);
    if (due.length > 0) {
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
    return due.length;
  });
}
