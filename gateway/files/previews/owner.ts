import { fileRemoved } from "#gateway/files/storage/send-object.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";

/**
 * The account of a stored file: that of the prediction, upload, run or output whose id its key names. Throws `payload_purged` when
 * there is none.
 */
export async function ownerOf(queries: Queries, key: string): Promise<string> {
  const [, id = ""] = key.split("/");
  const { rows } = await queries.execute<{ account_id: string }>(sql`
    select account_id from predictions where id = ${id}
    union all select account_id from uploads where id = ${id}
    union all select account_id from outputs where run_id = ${id}
    union all select account_id from outputs where id = ${id}
    limit 1`);
  if (!rows[0]) throw fileRemoved();
  return rows[0].account_id;
}
