import { credentialHash, familyOf, isAccessToken } from "#gateway/access/accounts/keys/format.ts";
import type { Context } from "#gateway/context.ts";
import { eq, or } from "#gateway/platform/database/drizzle.ts";
import { apiKeys, connections } from "#gateway/platform/database/schema.ts";
import { endConnection, type Sender } from "./end.ts";
import { lockConnection } from "./find.ts";
import type { Form } from "./form.ts";
import { OAuthError } from "./oauth-error.ts";

/** Ends the connection of an access or refresh token: its client gives it up (RFC 7009). A token that is none is no error. */
export async function revokeToken(context: Context, form: Form, sender: Sender): Promise<void> {
  const token = form.get("token");
  if (!token) throw new OAuthError("invalid_request", "token is missing.");
  const family = familyOf(token);
  if (family === null && !isAccessToken(token)) return;
  const hash = credentialHash(family ?? token);
  const like =
    family === null
      ? or(eq(apiKeys.secretHash, hash), eq(apiKeys.previousSecretHash, hash))
      : eq(connections.refreshFamilyHash, hash);
  const ended = await context.database.transaction(async (queries) => {
    const found = like && (await lockConnection(queries, like));
    if (!found || found.key.revokedAt !== null) return null;
    const client = form.get("client_id");
    if (client !== undefined && client !== found.connection.clientId) return null;
    await endConnection(queries, found, "client_revoked", sender);
    return found.key.id;
  });
  if (ended !== null) context.credentials.forget(ended);
}
