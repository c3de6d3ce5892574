import { rolesWith } from "#contract/accounts/permissions.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, exists, inArray, type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import { apiKeys, members } from "#gateway/platform/database/schema.ts";

/**
 * SQL: whether a key of the query has a responsible member whose role allows that. A person who has left or
 * changed to a role without that right does not count, although the key's row may still name them.
 */
export function isAnswered(queries: Queries): SQL {
  const roles = [...rolesWith("attestations:answer")];
  return exists(
    queries
      .select({ one: sql`1` })
      .from(members)
      .where(
        and(
          sql`${members.accountId} = ${apiKeys.accountId}`,
          sql`${members.userId} = ${apiKeys.answeredBy}`,
          inArray(members.role, roles),
        ),
      ),
  );
}
