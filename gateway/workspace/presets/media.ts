import type { Context } from "#gateway/context.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, gt, inArray } from "#gateway/platform/database/drizzle.ts";
import { type presets, uploads } from "#gateway/platform/database/schema.ts";
import type { KeptMedia } from "#gateway/platform/database/tables/workspace.ts";
import { filesIn, withoutAt, withValueAt } from "./input.ts";

type Json = Record<string, unknown>;

/** An input as it is stored, with what it says of its files. */
export type StoredInput = Pick<typeof presets.$inferInsert, "input" | "media" | "mediaExpiresAt">;

/** When each of these uploads ends; those that cannot be used any more are missing. */
export async function usableUploads(
  queries: Queries,
  accountId: string,
  media: readonly KeptMedia[],
): Promise<Map<string, Date>> {
  const ids = [...new Set(media.map(({ upload }) => upload))].filter((id) => id !== null);
  if (ids.length === 0) return new Map();
  const rows = await queries
    .select({ id: uploads.id, expiresAt: uploads.objectExpiresAt })
    .from(uploads)
    .where(
      and(
        eq(uploads.accountId, accountId),
        inArray(uploads.id, ids),
        eq(uploads.status, "verified"),
        gt(uploads.objectExpiresAt, clock.date()),
      ),
    );
  return new Map(rows.flatMap(({ id, expiresAt }) => (expiresAt ? [[id, expiresAt]] : [])));
}

/**
 * Of the files in an input only references to uploads that can be used are kept, and only for as long: a preset makes
 * no file last longer, and holds none itself.
 */
export async function storedInput(
  { config }: Context,
  queries: Queries,
  accountId: string,
  input: Json,
): Promise<StoredInput> {
  const named = filesIn(input, config.publicUrl);
  return withoutGone(input, named, await usableUploads(queries, accountId, named));
}

/** What remains of a stored input when only these uploads can be used. */
export function withoutGone(
  input: Json,
  media: readonly KeptMedia[],
  usable: ReadonlyMap<string, Date>,
): StoredInput {
  const kept = media.map(({ path, upload }) => ({
    path,
    upload: upload !== null && usable.has(upload) ? upload : null,
  }));
  const gone = kept.filter(({ upload }) => upload === null).map(({ path }) => path);
  const ends = kept.flatMap(({ upload }) => usable.get(upload ?? "")?.getTime() ?? []);
  return {
    input: withValueAt(input, gone, null),
    media: kept,
    mediaExpiresAt: ends.length > 0 ? new Date(Math.min(...ends)) : null,
  };
}

/** A stored input without the places whose files are gone, and each place where a file stood. */
export async function usableInput(
  queries: Queries,
  accountId: string,
  { input, media }: { input: Json; media: readonly KeptMedia[] },
) {
  const usable = await usableUploads(queries, accountId, media);
  const places = media.map(({ path, upload }) => ({
    path,
    kept_until: usable.get(upload ?? "")?.toISOString() ?? null,
  }));
  const gone = places.filter(({ kept_until: until }) => until === null).map(({ path }) => path);
  return { input: withoutAt(input, gone), media: places, gone };
}
