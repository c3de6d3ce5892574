import { rolesWith } from "#contract/accounts/permissions.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, exists, inArray, type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import { apiKeys, members } from "#gateway/platform/database/schema.ts";

/**
 * Whether a member is responsible for a key of the query: one whose role still allows it. A person who left
 * or has another role now does not count, whatever the key's row says.
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
