import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq } from "#gateway/platform/database/drizzle.ts";
import { destinations } from "#gateway/platform/database/schema.ts";

export type DestinationRow = typeof destinations.$inferSelect;

/** Matches one destination of the account. */
export function ownDestination(accountId: string, id: string) {
  return and(eq(destinations.id, id), eq(destinations.accountId, accountId));
}

/** Throws `destination_not_found`. */
export async function findDestination(
  queries: Queries,
  accountId: string,
  id: string,
): Promise<DestinationRow> {
  const [row] = await queries.select().from(destinations).where(ownDestination(accountId, id));
  if (!row) throw destinationNotFound();
  return row;
}

/**
 * One that copies, locked so that it stays as it is until the transaction ends. Every transaction that locks a destination and its
 * copies locks the destination first. Throws `destination_not_found`, `destination_paused`.
 */
export async function lockActive(queries: Queries, accountId: string, id: string): Promise<DestinationRow> {
  const [row] = await queries.select().from(destinations).where(ownDestination(accountId, id)).for("share");
  if (!row) throw destinationNotFound();
  if (row.status === "paused")
    throw new ApiError(
      "destination_paused",
      "Resume the destination first: nothing is copied while it is paused.",
    );
  return row;
}

export function destinationNotFound(): ApiError {
  return new ApiError("destination_not_found", "There is no such destination.");
}
