import type { BaseContext } from "#gateway/context.ts";
import { type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import { uploads } from "#gateway/platform/database/schema.ts";
import type { UploadRow } from "./queries.ts";

/*
 * While an upload is pending, its `storage_key` contains the keys of the running transfers, separated by
 * spaces, so that the bytes of a process that died can be found. Afterwards it is the key of the accepted
 * bytes.
 */

export function withKey(key: string): SQL {
  return sql`concat_ws(' ', ${uploads.storageKey}, ${key}::text)`;
}

export function withoutKey(key: string): SQL {
  return sql`nullif(array_to_string(array_remove(string_to_array(${uploads.storageKey}, ' '), ${key}), ' '), '')`;
}

/** The keys in a `storage_key`. */
export function keysIn(storageKey: string | null): string[] {
  return storageKey?.split(" ") ?? [];
}

/** Removes every object listed in the row, except `kept`. */
export async function removeObjects(
  context: BaseContext,
  { storageKey }: Pick<UploadRow, "storageKey">,
  kept?: string,
): Promise<void> {
  await context.store.delete(keysIn(storageKey).filter((key) => key !== kept));
}
