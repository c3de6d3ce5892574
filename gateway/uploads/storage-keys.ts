import { type SQL, sql } from "drizzle-orm";
import type { Context } from "#gateway/context.ts";
import { uploads } from "#gateway/database/schema.ts";
import type { UploadRow } from "./queries.ts";

/*
 * While an upload is pending, its `storage_key` holds the keys that transfers under way write to, separated by spaces:
 * they lead to the bytes of a dead process. Afterwards it is the one key of the bytes that were accepted.
 */

export function withKey(key: string): SQL {
  return sql`concat_ws(' ', ${uploads.storageKey}, ${key}::text)`;
}

export function withoutKey(key: string): SQL {
  return sql`nullif(array_to_string(array_remove(string_to_array(${uploads.storageKey}, ' '), ${key}), ' '), '')`;
}

/** Removes every object that the row knows of, but for `kept`. */
export async function removeObjects(
  context: Context,
  { storageKey }: Pick<UploadRow, "storageKey">,
  kept?: string,
): Promise<void> {
  for (const key of storageKey?.split(" ") ?? []) if (key !== kept) await context.store.delete(key);
}
