import type { Person } from "#contract/accounts/people.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, asc, eq, isNull } from "#gateway/platform/database/drizzle.ts";
import { apiKeys } from "#gateway/platform/database/schema.ts";
import { isAnswered } from "../keys/answered.ts";

/** The service keys that each member is responsible for. */
export async function answeredKeys(queries: Queries, accountId: string): Promise<Map<string, Person[]>> {
  const rows = await queries
    .select({ id: apiKeys.id, name: apiKeys.name, answeredBy: apiKeys.answeredBy })
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.accountId, accountId),
        isNull(apiKeys.userId),
        isNull(apiKeys.revokedAt),
        isAnswered(queries),
      ),
    )
    .orderBy(asc(apiKeys.id));
  const keys = new Map<string, Person[]>();
  for (const { id, name, answeredBy } of rows)
    if (answeredBy !== null) keys.set(answeredBy, [...(keys.get(answeredBy) ?? []), { id, name }]);
  return keys;
}
