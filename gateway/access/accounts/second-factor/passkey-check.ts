import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import { type RelyingParty, relyingPartyOf } from "#contract/accounts/relying-party.ts";
import type { PasskeyAssertion } from "#contract/accounts/second-factor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { passkeys } from "#gateway/platform/database/schema.ts";

/** Throws `passkeys_unavailable` if browsers offer no passkeys at this URL. */
export function relyingParty({ consoleUrl }: Pick<Config, "consoleUrl">): RelyingParty {
  const party = relyingPartyOf(consoleUrl);
  if (party) return party;
  throw new ApiError(
    "passkeys_unavailable",
    `Browsers allow passkeys over https and on localhost only; this console is at ${consoleUrl}.`,
  );
}

/**
 * Checks a passkey's signature, in the transaction that acts on it; returns its owner. Throws
 * `invalid_second_factor`.
 */
export async function checkPasskey(
  config: Pick<Config, "consoleUrl">,
  queries: Queries,
  credential: PasskeyAssertion,
  challenge: string | null,
): Promise<string> {
  const { id: rpId, origin } = relyingParty(config);
  const [row] = await queries
    .select()
    .from(passkeys)
    .where(eq(passkeys.credentialId, credential.id))
    .for("update");
  if (!row || challenge === null)
    throw refusedPasskey("This passkey is unknown here. It may have been removed.");
  const { userHandle } = credential.response;
  if (userHandle && Buffer.from(userHandle, "base64url").toString() !== row.userId) throw refusedPasskey();
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...credential, clientExtensionResults: {} } as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
    credential: {
      id: row.credentialId,
      publicKey: new Uint8Array(Buffer.from(row.publicKey, "base64url")),
      counter: row.uses,
    },
  }).catch((error: unknown) => {
    throw refusedPasskey(undefined, error);
  });
  if (!verified) throw refusedPasskey();
  await queries
    .update(passkeys)
    .set({
      uses: authenticationInfo.newCounter,
      isSynced: authenticationInfo.credentialBackedUp,
      lastUsedAt: clock.date(),
    })
    .where(eq(passkeys.id, row.id));
  return row.userId;
}

export function refusedPasskey(
  message = "This passkey could not be checked. Try again.",
  cause?: unknown,
): ApiError {
  return new ApiError("invalid_second_factor", message, { param: "credential", cause });
}
