import { sql } from "#gateway/platform/database/drizzle.ts";
import { members, sessions } from "#gateway/platform/database/schema.ts";

/** When a member of the statement was signed in last, in whatever account. */
export function lastSeenAt() {
  return sql<string | null>`(select max(coalesce(${sessions.lastSeenAt}, ${sessions.createdAt}))
    from ${sessions} where ${sessions.userId} = ${members.userId})`;
}
