import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, gt, inArray, isNull, or, sql } from "#gateway/platform/database/drizzle.ts";
import { webhookEndpoints, webhookSecrets } from "#gateway/platform/database/schema.ts";
import type { EndpointRow, SecretRow } from "./view.ts";

/** Matches one endpoint of the account that was not deleted. */
export function ownEndpoint(accountId: string, id: string) {
  return and(
    eq(webhookEndpoints.id, id),
    eq(webhookEndpoints.accountId, accountId),
    isNull(webhookEndpoints.deletedAt),
  );
}

export function endpointNotFound(): ApiError {
  return new ApiError("endpoint_not_found", "There is no such webhook endpoint.");
}

/** The account's endpoint, locked until the transaction ends. Throws `endpoint_not_found`. */
export async function lockEndpoint(queries: Queries, accountId: string, id: string): Promise<EndpointRow> {
  const [row] = await queries
    .select()
    .from(webhookEndpoints)
    .where(ownEndpoint(accountId, id))
    .for("no key update");
  if (!row) throw endpointNotFound();
  return row;
}

/** The valid secrets of these endpoints, by endpoint. */
export async function liveSecrets(
  queries: Queries,
  endpointIds: string[],
): Promise<Map<string, SecretRow[]>> {
  if (endpointIds.length === 0) return new Map();
  const rows = await queries
    .select()
    .from(webhookSecrets)
    .where(
      and(
        inArray(webhookSecrets.endpointId, endpointIds),
        or(isNull(webhookSecrets.expiresAt), gt(webhookSecrets.expiresAt, sql`now()`)),
      ),
    );
  return Map.groupBy(rows, (row) => row.endpointId);
}
