import type { Queries } from "#gateway/platform/database/database.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";

/**
 * The files of these keys were removed, so the rows of their previews go, and in the same statement the objects become
 * reserved files whose time is over, which the sweep removes: none is left by a crash. After the files, so that a preview
 * that is being made is found here or finds no file; and with the totals of their accounts locked.
 */
export async function forgetPreviews(queries: Queries, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await queries.execute(sql`
    with gone as (
      delete from previews where key = any (${sql.param(keys)})
      returning account_id, state, preview_key, size_bytes
    )
    insert into generations (id, account_id, outputs, expires_at)
    select preview_key, account_id,
      jsonb_build_array(jsonb_build_object('key', preview_key, 'sizeBytes', size_bytes)), now()
    from gone where state = 'made'`);
}
