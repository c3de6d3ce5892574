import {
  credentialHash,
  familyOf,
  newAccessToken,
  newRefreshToken,
} from "#gateway/access/accounts/keys/format.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { apiKeys, connections } from "#gateway/platform/database/schema.ts";

/**
 * How long an access token works; a running request with the previous token continues until that one expires.
 */
const accessSeconds = 3_600;
/** A client that does not return within this time has to ask for consent again. */
const refreshMs = 30 * 86_400_000;

type KeyRow = typeof apiKeys.$inferSelect;

/**
 * The next pair of tokens; only their hashes are stored. Call it in the transaction that has locked the
 * connection.
 */
export async function issueTokens(queries: Queries, key: KeyRow, previousRefresh: string | null) {
  const accessToken = newAccessToken();
  const refreshToken = newRefreshToken((previousRefresh && familyOf(previousRefresh)) || undefined);
  const now = clock.now();
  const endsAt = key.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
  const expiresAt = new Date(Math.min(now + accessSeconds * 1000, endsAt));
  await queries
    .update(apiKeys)
    .set({
      secretHash: credentialHash(accessToken),
      secretExpiresAt: expiresAt,
      // The first secret is the key's own, which was never issued to anybody.
      previousSecretHash: previousRefresh === null ? null : key.secretHash,
      previousExpiresAt: previousRefresh === null ? null : key.secretExpiresAt,
    })
    .where(eq(apiKeys.id, key.id));
  await queries
    .update(connections)
    .set({
      refreshFamilyHash: credentialHash(familyOf(refreshToken) ?? ""),
      refreshHash: credentialHash(refreshToken),
      refreshExpiresAt: new Date(Math.min(now + refreshMs, endsAt)),
      ...(previousRefresh === null && { codeUsedAt: new Date(now) }),
    })
    .where(eq(connections.keyId, key.id));
  return {
    access_token: accessToken,
    token_type: "Bearer",
    expires_in: Math.max(1, Math.floor((expiresAt.getTime() - now) / 1000)),
    refresh_token: refreshToken,
    scope: key.scopes.join(" "),
  };
}

export type IssuedTokens = Awaited<ReturnType<typeof issueTokens>>;
