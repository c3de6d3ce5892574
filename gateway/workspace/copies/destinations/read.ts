import type { Destination } from "#contract/copies.ts";
import type { List, SearchedPageQuery } from "#contract/list.ts";
import type { Context } from "#gateway/context.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { foundBy } from "#gateway/platform/database/found-by.ts";
import { keyset, listOf } from "#gateway/platform/database/keyset.ts";
import { destinations } from "#gateway/platform/database/schema.ts";
import { withTotal } from "#gateway/platform/database/total.ts";
import { findDestination } from "./find.ts";
import { countsOf, destinationView, viewNow } from "./view.ts";

/** The account's destinations, newest first. */
export async function listDestinations(
  { database: { queries } }: Context,
  accountId: string,
  query: SearchedPageQuery,
): Promise<List<Destination>> {
  const page = keyset("destination", destinations.id, query, [
    eq(destinations.accountId, accountId),
    foundBy(query.search, {
      idColumn: destinations.id,
      among: eq(destinations.accountId, accountId),
      texts: [destinations.name, destinations.bucket, destinations.prefix, destinations.endpointUrl],
    }),
  ]);
  const rows = await queries
    .select()
    .from(destinations)
    .where(page.where)
    .orderBy(page.order)
    .limit(page.limit);
  const counts = await countsOf(
    queries,
    accountId,
    rows.map(({ id }) => id),
  );
  return withTotal(
    queries,
    page,
    listOf(page, rows, (row) => destinationView(row, counts(row.id))),
  );
}

/** Throws `destination_not_found`. */
export async function getDestination(
  { database: { queries } }: Context,
  accountId: string,
  id: string,
): Promise<Destination> {
  return viewNow(queries, await findDestination(queries, accountId, id));
}
