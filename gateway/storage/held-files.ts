import { eq, inArray, lt, type SQL } from "drizzle-orm";
import type { Context } from "#gateway/context.ts";
import type { Queries } from "#gateway/database/database.ts";
import { heldFiles } from "#gateway/database/schema.ts";

/** Longer than any request that stores files before the row they belong to. */
const requestMs = 3_600_000;
const batchSize = 100;

interface Hold {
  id: string;
  accountId: string;
  keys: string[];
  /** When the files are removed; within the hour, unless said. */
  until?: Date;
}

/**
 * Names files before they lie in the store, so that they are removed whatever happens to the process that stores them:
 * no bytes without a row. Another row can take them over (`letGo`) or they stay until their time has passed.
 */
export async function holdFiles(context: Context, { id, accountId, keys, until }: Hold): Promise<void> {
  const expiresAt = until ?? new Date(Date.now() + requestMs);
  const files = keys.map((key) => ({ key }));
  await context.database.queries.insert(heldFiles).values({ id, accountId, files, expiresAt });
}

/** Ends a hold, in the transaction that writes the row which names the files from then on. */
export async function letGo(queries: Queries, id: string): Promise<void> {
  await queries.delete(heldFiles).where(eq(heldFiles.id, id));
}

/** Removes the files of holds whose time has passed. */
export async function removeHeldFiles(context: Context): Promise<void> {
  await remove(context, lt(heldFiles.expiresAt, new Date()));
}

/** Removes the files of these holds at once. */
export async function removeHeldFilesOf(context: Context, ids: string[]): Promise<void> {
  if (ids.length > 0) await remove(context, inArray(heldFiles.id, ids));
}

/** Files go first: a crash in between only means that they are removed again. */
async function remove(context: Context, condition: SQL): Promise<void> {
  const { queries } = context.database;
  const due = await queries.select().from(heldFiles).where(condition).limit(batchSize);
  for (const { id, files } of due) {
    for (const { key } of files) await context.store.delete(key);
    await letGo(queries, id);
  }
}
