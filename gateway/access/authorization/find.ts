import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, getTableColumns, type SQL } from "#gateway/platform/database/drizzle.ts";
import { accountDeletions, apiKeys, connections, members } from "#gateway/platform/database/schema.ts";
import { OAuthError } from "./oauth-error.ts";

export interface Found {
  key: typeof apiKeys.$inferSelect;
  connection: typeof connections.$inferSelect;
  /** Whether it works: it has not ended, and its member is still there. */
  isLive: boolean;
}

/** The connection like this, locked, so that of two requests with the same token one comes first. */
export async function lockConnection(queries: Queries, like: SQL): Promise<Found | null> {
  const [found] = await queries
    .select({ key: getTableColumns(apiKeys), connection: getTableColumns(connections) })
    .from(connections)
    .innerJoin(apiKeys, eq(apiKeys.id, connections.keyId))
    .where(like)
    .for("update");
  if (!found) return null;
  const { key, connection } = found;
  const [member] = await queries
    .select({ userId: members.userId, closesAt: accountDeletions.dueAt })
    .from(members)
    .leftJoin(accountDeletions, eq(accountDeletions.accountId, members.accountId))
    .where(and(eq(members.accountId, key.accountId), eq(members.userId, key.userId ?? "")));
  const now = clock.date();
  const isLive =
    key.revokedAt === null &&
    (key.expiresAt === null || key.expiresAt > now) &&
    member !== undefined &&
    (member.closesAt === null || member.closesAt > now);
  return { key, connection, isLive };
}

/** What a client is told of a code or refresh token that gives nothing, whatever the reason. */
export function invalidGrant(description: string): OAuthError {
  return new OAuthError("invalid_grant", description);
}
