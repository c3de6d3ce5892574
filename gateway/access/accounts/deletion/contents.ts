import type { AccountContents } from "#contract/accounts/account-deletion.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";

/** A preview counts no further, so that it is quick however much an account has. */
export const previewCountsTo = 100_000;

/** How much an account has of what goes with it, each counted up to a limit. */
export async function contentsOf(
  queries: Queries,
  accountId: string,
  countTo: number,
): Promise<AccountContents> {
  const rows = (source: string) =>
    sql`(select count(*)::int from (select from ${sql.raw(source)} and account_id = ${accountId} limit ${countTo}) counted)`;
  const { rows: found } = await queries.execute<AccountContents & Record<string, unknown>>(sql`select
    ${rows("members where true")} as members,
    (select count(*)::int from members m where m.account_id = ${accountId}
      and not exists (select from members o where o.user_id = m.user_id and o.account_id <> m.account_id)) as people,
    ${rows("api_keys where revoked_at is null")} as keys,
    ${rows("webhook_endpoints where deleted_at is null")} as endpoints,
    ${rows("invitations where true")} as invitations,
    ${rows("attestations where true")} as attestations,
    ${rows("presets where true")} as presets,
    ${rows("conversations where true")} as conversations,
    ${rows("batches where true")} as batches,
    ${rows("predictions where true")} as predictions,
    ${rows("uploads where true")} as uploads,
    ${rows("webhook_delivery_keys where true")} as deliveries,
    ${rows("request_logs where true")} as requests,
    ${rows("audit_logs where true")} as audit_logs,
    coalesce((select bytes::float8 from account_storage where account_id = ${accountId}), 0) as stored_bytes`);
  const [contents] = found;
  if (!contents) throw new Error("counting what an account has returned no row");
  return contents;
}

/** How many rows are removed one by one, by which progress is measured. */
export function rowsOf({ predictions, uploads, deliveries, requests, audit_logs }: AccountContents): number {
  return predictions + uploads + deliveries + requests + audit_logs;
}
