import type { PasskeyOptions, PasskeySignIn, SecondFactorSignIn } from "#contract/accounts/second-factor.ts";
import type { Session } from "#contract/accounts/sessions.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { users } from "#gateway/platform/database/schema.ts";
import { tooManyRequests } from "#gateway/platform/http/limits.ts";
import type { Limit } from "#gateway/platform/limits/limiter.ts";
import { addressBlock } from "#gateway/platform/network/address-block.ts";
import { type Origin, openSession } from "../sessions/open.ts";
import { checkPasskey, refusedPasskey, relyingParty } from "./passkey-check.ts";
import { countCode, spendCode } from "./proof.ts";
import { passkeysOf } from "./read.ts";
import { challengeTicket, issueTicket, takeTicket, userOfTicket } from "./tickets.ts";

/** Sign-ins with a passkey that an address may begin: each page that offers one begins one. */
const passkeySignIns: Limit = { name: "passkey sign-ins", count: 120, periodMs: 60_000 };

/**
 * What the browser needs to ask for a passkey: for one of the person whose ticket this is, else for any. Throws
 * `passkeys_unavailable`, `sign_in_expired`, `rate_limit_exceeded`.
 */
export async function beginPasskeySignIn(
  { config, database, limiter }: Context,
  ticket: string | undefined,
  ip: string | null,
): Promise<PasskeyOptions> {
  const { id: rpID } = relyingParty(config);
  const taken = await limiter.take(addressBlock(ip ?? ""), passkeySignIns);
  if (!taken.allowed) throw tooManyRequests("Too many sign-ins began. Wait a minute.", taken);
  const { queries } = database;
  const known = ticket ? await passkeysOf(queries, await userOfTicket(queries, ticket)) : [];
  const { generateAuthenticationOptions } = await import("@simplewebauthn/server");
  const options = await generateAuthenticationOptions({
    rpID,
    userVerification: "required",
    allowCredentials: known.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
  });
  const { challenge } = options;
  const about = { purpose: "passkey" as const, userId: null, challenge };
  const { token, expiresAt } = ticket
    ? { token: ticket, ...(await challengeTicket(queries, ticket, challenge)) }
    : await issueTicket(queries, about);
  return {
    object: "passkey_options",
    ticket: token,
    expires_at: expiresAt.toISOString(),
    public_key: { ...options },
  };
}

/** Signs in with a passkey alone, which is both factors. Throws `sign_in_expired`, and as `checkPasskey` and `openSession`. */
export function signInWithPasskey(
  { config, database }: Context,
  { ticket, credential }: PasskeySignIn,
  origin: Origin,
): Promise<Session> {
  return database.transaction(async (queries) => {
    const { challenge } = await takeTicket(queries, ticket, "passkey");
    const userId = await checkPasskey(config, queries, credential, challenge);
    return openSession(queries, userId, "passkey", origin);
  });
}

/**
 * Ends a sign-in that a password began. A wrong code leaves its ticket as it was. Throws `sign_in_expired`,
 * `rate_limit_exceeded`, and as `spendCode`, `checkPasskey` and `openSession`.
 */
export async function finishSignIn(
  context: Context,
  { ticket, code, credential }: SecondFactorSignIn,
  origin: Origin,
): Promise<Session> {
  const { config, database } = context;
  const userId = await userOfTicket(database.queries, ticket);
  const [user] = await database.queries.select().from(users).where(eq(users.id, userId));
  if (!user) throw new ApiError("sign_in_expired", "This user no longer exists.");
  const attempt = code === undefined ? null : await countCode(context, user.email, origin.ip);
  const session = await database.transaction(async (queries) => {
    const { challenge } = await takeTicket(queries, ticket, "second_factor");
    if (credential === undefined) {
      const way = await spendCode(context, queries, { actor: user, ...origin }, code ?? "");
      return openSession(queries, userId, "password", origin, { secondFactor: way });
    }
    if ((await checkPasskey(config, queries, credential, challenge)) !== userId)
      throw refusedPasskey("This passkey belongs to somebody else.");
    return openSession(queries, userId, "password", origin, { secondFactor: "passkey" });
  });
  await attempt?.succeed();
  return session;
}
