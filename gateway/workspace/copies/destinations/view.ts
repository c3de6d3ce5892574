import { copiesCountedTo, type Destination } from "#contract/copies.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";
import type { DestinationRow } from "./find.ts";

type Counts = Pick<Destination, "waiting_copies" | "failed_copies">;

export function destinationView(row: DestinationRow, counts: Counts): Destination {
  return {
    id: row.id,
    object: "destination",
    name: row.name,
    endpoint_url: row.endpointUrl,
    region: row.region,
    bucket: row.bucket,
    prefix: row.prefix,
    path_style: row.pathStyle,
    access_key_id: row.accessKeyId,
    secret_hint: row.secretHint,
    automatic: row.automatic,
    models: row.models,
    status: row.status,
    last_copied_at: row.lastCopiedAt?.toISOString() ?? null,
    last_error: row.lastError,
    last_error_at: row.lastErrorAt?.toISOString() ?? null,
    ...counts,
    created_at: row.createdAt.toISOString(),
  };
}

export const noCopies: Counts = { waiting_copies: 0, failed_copies: 0 };

/** How many copies wait or failed, counted no further than the contract says. */
export async function countsOf(
  queries: Queries,
  accountId: string,
  ids: readonly string[],
): Promise<(id: string) => Counts> {
  if (ids.length === 0) return () => noCopies;
  const counted = (status: string) => sql`(select count(*)::int from (
    select from copies c where c.account_id = ${accountId} and c.destination_id = d.id and c.status = ${status}
    limit ${copiesCountedTo}) counted)`;
  const { rows } = await queries.execute<{ id: string } & Counts>(sql`
    select d.id, least(${copiesCountedTo}, ${counted("pending")} + ${counted("copying")}) as waiting_copies,
      ${counted("failed")} as failed_copies
    from unnest(${sql.param([...ids])}::text[]) as d (id)`);
  const byId = new Map(rows.map(({ id, ...counts }) => [id, counts]));
  return (id) => byId.get(id) ?? noCopies;
}

/** One destination as it is now. */
export async function viewNow(queries: Queries, row: DestinationRow): Promise<Destination> {
  const counts = await countsOf(queries, row.accountId, [row.id]);
  return destinationView(row, counts(row.id));
}
