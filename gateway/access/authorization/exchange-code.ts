import { hash, timingSafeEqual } from "node:crypto";
import { credentialHash } from "#gateway/access/accounts/keys/format.ts";
import type { Context } from "#gateway/context.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { connections } from "#gateway/platform/database/schema.ts";
import { resourceOf } from "./addresses.ts";
import { endConnection, type Sender } from "./end.ts";
import { type Found, invalidGrant, lockConnection } from "./find.ts";
import type { Form } from "./form.ts";
import { type IssuedTokens, issueTokens } from "./issue.ts";
import { OAuthError } from "./oauth-error.ts";

/**
 * Gives a client the first tokens of its connection for the code. A code that comes a second time ends the connection: somebody
 * else may have been first. Throws what the standard names.
 */
export async function exchangeCode(context: Context, form: Form, sender: Sender): Promise<IssuedTokens> {
  const code = form.get("code");
  if (!code) throw new OAuthError("invalid_request", "code is missing.");
  assertResource(context, form);
  const outcome = await context.database.transaction(async (queries) => {
    const found = await lockConnection(queries, eq(connections.codeHash, credentialHash(code)));
    if (!found || found.connection.clientId !== form.get("client_id"))
      return { refusal: "There is no such code of this client." };
    if (found.connection.codeUsedAt !== null) {
      if (found.key.revokedAt === null) await endConnection(queries, found, "code_reused", sender);
      return { refusal: "The code was used before, so its connection was ended.", ended: found.key.id };
    }
    const refusal = faultOf(found, form);
    if (refusal) return { refusal };
    return { tokens: await issueTokens(queries, found.key, null), keyId: found.key.id };
  });
  return tokensOf(context, outcome);
}

type Outcome = { tokens: IssuedTokens; keyId: string } | { refusal: string; ended?: string };

/** The tokens of an outcome that is saved by now. Throws its refusal. */
export function tokensOf({ credentials }: Context, outcome: Outcome): IssuedTokens {
  if ("tokens" in outcome) {
    credentials.forget(outcome.keyId);
    return outcome.tokens;
  }
  if (outcome.ended !== undefined) credentials.forget(outcome.ended);
  throw invalidGrant(outcome.refusal);
}

/** A token is for this gateway's tools alone. Throws `invalid_target`. */
export function assertResource({ config }: Context, form: Form): void {
  const resource = form.get("resource");
  if (resource === undefined || resource === resourceOf(config)) return;
  throw new OAuthError("invalid_target", `resource must be ${resourceOf(config)}.`);
}

function faultOf({ connection, isLive }: Found, form: Form): string | null {
  if (!isLive) return "The connection has ended.";
  if (connection.codeExpiresAt <= clock.date()) return "The code has expired.";
  if (form.get("redirect_uri") !== connection.redirectUri)
    return "redirect_uri is not the one that the code was sent to.";
  return isVerifierOf(form.get("code_verifier"), connection.codeChallenge)
    ? null
    : "code_verifier does not belong to the code_challenge.";
}

function isVerifierOf(verifier: string | undefined, challenge: string): boolean {
  if (!verifier || !/^[\w.~-]{43,128}$/.test(verifier)) return false;
  return timingSafeEqual(Buffer.from(hash("sha256", verifier, "base64url")), Buffer.from(challenge));
}
