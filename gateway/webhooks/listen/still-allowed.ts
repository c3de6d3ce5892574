import { and, arrayContains, eq, gt, isNull, or, sql } from "drizzle-orm";
import type { Queries } from "#gateway/database/database.ts";
import { apiKeys, sessions } from "#gateway/database/schema.ts";
import type { Actor } from "#gateway/http/actor.ts";

/** Whether the credential that opened a stream would still be let in: a stream outlives its authentication. */
export async function isStillAllowed(queries: Queries, actor: Actor): Promise<boolean> {
  if (actor.kind === "key") {
    const secretHash = actor.secretHash ?? "";
    const rows = await queries
      .select({ id: apiKeys.id })
      .from(apiKeys)
      .where(
        and(
          eq(apiKeys.id, actor.id),
          arrayContains(apiKeys.scopes, ["webhooks"]),
          isNull(apiKeys.revokedAt),
          or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, sql`now()`)),
          or(
            eq(apiKeys.secretHash, secretHash),
            and(
              eq(apiKeys.previousSecretHash, secretHash),
              or(isNull(apiKeys.previousExpiresAt), gt(apiKeys.previousExpiresAt, sql`now()`)),
            ),
          ),
        ),
      );
    return rows.length > 0;
  }
  const rows = await queries
    .select({ id: sessions.id })
    .from(sessions)
    .where(
      and(
        eq(sessions.id, actor.sessionId ?? ""),
        isNull(sessions.revokedAt),
        gt(sessions.expiresAt, sql`now()`),
      ),
    );
  return rows.length > 0;
}
