import type { List } from "#contract/list.ts";
import type { Upload, UploadQuery } from "#contract/upload.ts";
import { readMakers } from "#gateway/access/accounts/people.ts";
import type { BaseContext } from "#gateway/context.ts";
import { listOf } from "#gateway/platform/database/keyset.ts";
import { withTotal } from "#gateway/platform/database/total.ts";
import { selectUploads } from "./queries.ts";
import { uploadView } from "./view.ts";

/** The account's uploads, newest first. */
export async function listUploads(
  context: BaseContext,
  accountId: string,
  query: UploadQuery,
): Promise<List<Upload>> {
  const { queries } = context.database;
  const { page, rows, rowsOf } = await selectUploads(queries, accountId, query);
  const makerOf = await readMakers(queries, rows);
  const list = listOf(page, rows, (row) => ({ ...uploadView(context, row), made_by: makerOf(row) }));
  return withTotal(queries, page, list, rowsOf);
}
