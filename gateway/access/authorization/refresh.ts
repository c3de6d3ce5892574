import { credentialHash, familyOf } from "#gateway/access/accounts/keys/format.ts";
import type { Context } from "#gateway/context.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { connections } from "#gateway/platform/database/schema.ts";
import { endConnection, type Sender } from "./end.ts";
import { assertResource, tokensOf } from "./exchange-code.ts";
import { invalidGrant, lockConnection } from "./find.ts";
import type { Form } from "./form.ts";
import { type IssuedTokens, issueTokens } from "./issue.ts";
import { OAuthError } from "./oauth-error.ts";

/**
 * Gives a client its next tokens for the last refresh token, once. An earlier one ends the connection: two have it, and one of
 * them stole it. Throws what the standard names.
 */
export async function refreshTokens(context: Context, form: Form, sender: Sender): Promise<IssuedTokens> {
  const token = form.get("refresh_token");
  if (!token) throw new OAuthError("invalid_request", "refresh_token is missing.");
  assertResource(context, form);
  const family = familyOf(token);
  if (family === null) throw invalidGrant("This is not a refresh token of this gateway.");
  const outcome = await context.database.transaction(async (queries) => {
    const found = await lockConnection(queries, eq(connections.refreshFamilyHash, credentialHash(family)));
    if (!found || found.connection.clientId !== form.get("client_id"))
      return { refusal: "There is no such refresh token of this client." };
    if (!found.isLive) return { refusal: "The connection has ended." };
    const { key, connection } = found;
    if (connection.refreshHash !== credentialHash(token)) {
      await endConnection(queries, found, "refresh_token_reused", sender);
      return { refusal: "The refresh token was used before, so its connection was ended.", ended: key.id };
    }
    if (connection.refreshExpiresAt && connection.refreshExpiresAt <= clock.date())
      return { refusal: "The refresh token has expired." };
    assertScopes(form.get("scope"), key.scopes);
    return { tokens: await issueTokens(queries, key, token), keyId: key.id };
  });
  return tokensOf(context, outcome);
}

/** A refresh never gives more than the person did. */
function assertScopes(asked: string | undefined, granted: readonly string[]): void {
  const beyond = asked
    ?.split(" ")
    .filter((scope) => scope !== "" && scope !== "offline_access" && !granted.includes(scope));
  if (beyond && beyond.length > 0)
    throw new OAuthError("invalid_scope", "The connection does not have all of these scopes.");
}
