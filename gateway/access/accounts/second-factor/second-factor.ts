import type { RegistrationResponseJSON } from "@simplewebauthn/server";
import type { Session } from "#contract/accounts/account.ts";
import {
  type Passkey,
  type PasskeyCreate,
  type PasskeyOptions,
  type PasskeySignIn,
  type PasskeyUpdate,
  type SecondFactorAdded,
  type SecondFactorSignIn,
  secondFactorRoutes,
  type TotpSetup,
  type WithProof,
} from "#contract/accounts/second-factor.ts";
import { newId } from "#contract/ids.ts";
import { deleted } from "#contract/list.ts";
import type { AccessContext } from "#gateway/access/context.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { and, eq } from "#gateway/platform/database/drizzle.ts";
import { passkeys, totpSecrets, users } from "#gateway/platform/database/schema.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { tooManyRequests } from "#gateway/platform/http/limits.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import type { Limit } from "#gateway/platform/limits/limiter.ts";
import { addressBlock } from "#gateway/platform/network/address-rules.ts";
import { recordOwnAudit } from "../audit.ts";
import { type Origin, openSession, originOf } from "../sessions/open.ts";
import { addedSecondFactor, removeSecondFactor, renewRecoveryCodes } from "./changes.ts";
import { checkPasskey, refusedPasskey, relyingParty } from "./passkey-check.ts";
import { assertProof, countCode, personOf, secretOf, spendCode } from "./proof.ts";
import { passkeysOf, passkeyView, readSecondFactor } from "./read.ts";
import { challengeTicket, issueTicket, takeTicket, userOfTicket } from "./tickets.ts";
import { newTotpSecret, sealerOf, stepOfCode, totpUri } from "./totp.ts";

/** For answers without a credential, which may otherwise be cached: they have a session or a ticket. */
const notStored = { "cache-control": "no-store" } as const;

/**
 * A person's passkeys, authenticator app and recovery codes. Removing is a POST, because it requires a proof
 * in the body.
 */
export function installSecondFactor(app: App, context: AccessContext): void {
  serve(app, context, secondFactorRoutes, {
    "GET /account/second_factor": ({ caller }) => readSecondFactor(context.database.queries, caller.actor),
    "POST /account/second_factor/totp": (request) => beginTotp(context, request.caller, request.body),
    "POST /account/second_factor/totp/confirm": (request) =>
      confirmTotp(context, request.caller, request.body.code),
    "POST /account/second_factor/totp/remove": async ({ caller, body }) => {
      const { actor } = caller;
      await removeTotp(context, caller, body);
      return deleted("totp", actor.id);
    },
    "POST /account/second_factor/recovery_codes": (request) =>
      renewRecoveryCodes(context, request.caller, request.body),
    "POST /account/passkeys/options": (request) => beginPasskey(context, request.caller, request.body),
    "POST /account/passkeys": (request) => createPasskey(context, request.caller, request.body),
    "PATCH /account/passkeys/{id}": (request) =>
      updatePasskey(context, request.caller, request.params.id, request.body),
    "POST /account/passkeys/{id}/remove": async (request) => {
      const { id } = request.params;
      await removePasskey(context, request.caller, id, request.body);
      return deleted("passkey", id);
    },
    "POST /account/sessions/passkey/options": async (request, reply) => {
      const { ticket } = request.body;
      const options = await beginPasskeySignIn(context, ticket, request.clientAddress);
      return reply.headers(notStored).send(options);
    },
    "POST /account/sessions/passkey": async (request, reply) => {
      const session = await signInWithPasskey(context, request.body, originOf(request));
      return reply.headers(notStored).send(session);
    },
    "POST /account/sessions/second_factor": async (request, reply) => {
      const session = await finishSignIn(context, request.body, originOf(request));
      return reply.headers(notStored).send(session);
    },
  });
}

/** The name of the entry in authenticator apps. */
const issuer = "Gatehouse";

/**
 * Creates the secret for an app, which counts only after one of its codes was sent. Throws as `assertProof`.
 */
async function beginTotp(context: AccessContext, caller: Caller, { proof }: WithProof): Promise<TotpSetup> {
  const user = await personOf(context, caller.actor);
  await assertProof(context, caller, proof, { freshIsEnough: true });
  const secret = newTotpSecret();
  const row = { userId: user.id, isConfirmed: false, ...sealerOf(context.config).seal(secret, user.id) };
  await context.database.transaction(async (queries) => {
    await queries.delete(totpSecrets).where(secretOf(user.id, false));
    await queries.insert(totpSecrets).values(row);
  });
  const uri = totpUri(secret, user.email, issuer);
  const { default: QRCode } = await import("qrcode");
  return {
    object: "totp_setup",
    secret,
    uri,
    qr_svg: await QRCode.toString(uri, { type: "svg", margin: 2 }),
  };
}

/**
 * Completes the set-up with a code; an app from an earlier set-up stops working. Throws
 * `invalid_second_factor`.
 */
async function confirmTotp(context: AccessContext, caller: Caller, code: string): Promise<SecondFactorAdded> {
  const { actor, ip } = caller;
  const user = await personOf(context, actor);
  const attempt = await countCode(context, user.email, ip);
  const added = await context.database.transaction(async (queries) => {
    const [row] = await queries.select().from(totpSecrets).where(secretOf(user.id, false)).for("update");
    const secret = row && sealerOf(context.config).open(row, user.id);
    const step = secret ? stepOfCode(secret, code.replaceAll(" ", ""), clock.now()) : null;
    if (step === null)
      throw new ApiError(
        "invalid_second_factor",
        "This code does not match the QR code. Check that the phone's clock is right.",
        { param: "code" },
      );
    await queries.delete(totpSecrets).where(secretOf(user.id, true));
    await queries
      .update(totpSecrets)
      .set({ isConfirmed: true, lastStep: step, lastUsedAt: clock.date() })
      .where(secretOf(user.id, false));
    await recordOwnAudit(queries, caller, { action: "totp.created", targetId: user.id });
    return addedSecondFactor(queries, caller, null);
  });
  await attempt.succeed();
  context.credentials.forget(user.id);
  return added;
}

/** Throws as `assertProof` and `removeSecondFactor`. */
function removeTotp(context: AccessContext, caller: Caller, input: WithProof): Promise<void> {
  return removeSecondFactor(context, caller, input, "totp.removed", caller.actor.id, async (queries) => {
    const gone = await queries
      .delete(totpSecrets)
      .where(eq(totpSecrets.userId, caller.actor.id))
      .returning({ isConfirmed: totpSecrets.isConfirmed });
    if (!gone.some(({ isConfirmed }) => isConfirmed))
      throw new ApiError("invalid_parameter", "No authenticator app is set up.");
  });
}

const maxPasskeys = 20;
/**
 * Ed25519, P-256 and RSA: every authenticator supports one of them. The library would also try some that Node
 * calls experimental.
 */
const algorithms = [-8, -7, -257];

/**
 * The options that a browser needs to create a passkey. Throws `passkeys_unavailable`, and as `assertProof`.
 */
async function beginPasskey(
  context: AccessContext,
  caller: Caller,
  { proof }: WithProof,
): Promise<PasskeyOptions> {
  const { queries } = context.database;
  const { id: rpID } = relyingParty(context.config);
  const user = await personOf(context, caller.actor);
  const known = await passkeysOf(queries, user.id);
  if (known.length >= maxPasskeys)
    throw new ApiError("invalid_parameter", `You have ${maxPasskeys} passkeys. Remove one first.`);
  await assertProof(context, caller, proof, { freshIsEnough: true });
  const { generateRegistrationOptions } = await import("@simplewebauthn/server");
  const options = await generateRegistrationOptions({
    rpName: "Gatehouse",
    rpID,
    userName: user.email,
    userDisplayName: user.name,
    userID: new Uint8Array(Buffer.from(user.id)),
    attestationType: "none",
    supportedAlgorithmIDs: algorithms,
    excludeCredentials: known.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    // The passkey must work without a typed e-mail address, and must verify the person.
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  const about = { purpose: "passkey_setup" as const, userId: user.id, challenge: options.challenge };
  const { token, expiresAt } = await issueTicket(queries, about);
  return passkeyOptions(token, expiresAt, options);
}

function passkeyOptions(ticket: string, expiresAt: Date, options: object): PasskeyOptions {
  return {
    object: "passkey_options",
    ticket,
    expires_at: expiresAt.toISOString(),
    public_key: { ...options },
  };
}

/** Stores a passkey that the browser created. Throws `sign_in_expired`, `invalid_second_factor`. */
async function createPasskey(
  context: AccessContext,
  caller: Caller,
  { ticket, name, credential }: PasskeyCreate,
): Promise<SecondFactorAdded> {
  const { actor } = caller;
  const added = await context.database.transaction(async (queries) => {
    const { userId, challenge } = await takeTicket(queries, ticket, "passkey_setup");
    if (userId !== actor.id) throw refusedPasskey();
    const made = await verified(context, credential, challenge ?? "");
    const id = newId("passkey");
    const [row] = await queries
      .insert(passkeys)
      .values({ id, userId, name: name.trim(), ...made })
      .onConflictDoNothing()
      .returning({ id: passkeys.id });
    if (!row) throw refusedPasskey("This passkey was added already.");
    const detail = { name: name.trim(), synced: made.isSynced };
    await recordOwnAudit(queries, caller, { action: "passkey.created", targetId: id, detail });
    return addedSecondFactor(queries, caller, id);
  });
  context.credentials.forget(actor.id);
  return added;
}

/** Renames a passkey. Throws `passkey_not_found`. */
async function updatePasskey(
  { database }: AccessContext,
  caller: Caller,
  id: string,
  { name }: PasskeyUpdate,
): Promise<Passkey> {
  return database.transaction(async (queries) => {
    const [row] = await queries
      .update(passkeys)
      .set({ name: name.trim() })
      .where(and(eq(passkeys.id, id), eq(passkeys.userId, caller.actor.id)))
      .returning();
    if (!row) throw passkeyNotFound();
    const detail = { name: row.name };
    await recordOwnAudit(queries, caller, { action: "passkey.updated", targetId: id, detail });
    return passkeyView(row);
  });
}

/** Throws `passkey_not_found`, and as `removeSecondFactor`. */
async function removePasskey(
  context: AccessContext,
  caller: Caller,
  id: string,
  input: WithProof,
): Promise<void> {
  const { actor } = caller;
  const known = await passkeysOf(context.database.queries, actor.id);
  if (!known.some((passkey) => passkey.id === id)) throw passkeyNotFound();
  await removeSecondFactor(context, caller, input, "passkey.removed", id, async (queries) => {
    const gone = await queries
      .delete(passkeys)
      .where(and(eq(passkeys.id, id), eq(passkeys.userId, actor.id)))
      .returning({ id: passkeys.id });
    if (gone.length === 0) throw passkeyNotFound();
  });
}

async function verified(
  context: AccessContext,
  credential: PasskeyCreate["credential"],
  challenge: string,
): Promise<Omit<typeof passkeys.$inferInsert, "id" | "userId" | "name">> {
  const { id: rpId, origin } = relyingParty(context.config);
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  const result = await verifyRegistrationResponse({
    response: { ...credential, clientExtensionResults: {} } as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
  }).catch((error: unknown) => {
    throw refusedPasskey(undefined, error);
  });
  if (!result.verified) throw refusedPasskey();
  const { credential: made, credentialBackedUp } = result.registrationInfo;
  return {
    credentialId: made.id,
    publicKey: Buffer.from(made.publicKey).toString("base64url"),
    uses: made.counter,
    transports: credential.response.transports ?? [],
    isSynced: credentialBackedUp,
  };
}

function passkeyNotFound(): ApiError {
  return new ApiError("passkey_not_found", "There is no such passkey, or it was removed.");
}

/** The limit for passkey sign-ins started from one address: each page that offers one starts one. */
const passkeySignIns: Limit = { name: "passkey sign-ins", count: 120, periodMs: 60_000 };

/**
 * The options that a browser needs to ask for a passkey: for one of the ticket's person, otherwise for any.
 * Throws `passkeys_unavailable`, `sign_in_expired`, `rate_limit_exceeded`.
 */
async function beginPasskeySignIn(
  { config, database, limiter }: AccessContext,
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
  return passkeyOptions(token, expiresAt, options);
}

/**
 * Signs in with only a passkey, which counts as both factors. Throws `sign_in_expired`, and as `checkPasskey`
 * and `openSession`.
 */
function signInWithPasskey(
  context: AccessContext,
  { ticket, credential }: PasskeySignIn,
  origin: Origin,
): Promise<Session> {
  const { config, database } = context;
  return database.transaction(async (queries) => {
    const { challenge } = await takeTicket(queries, ticket, "passkey");
    const userId = await checkPasskey(config, queries, credential, challenge);
    return openSession(context, queries, userId, "passkey", origin);
  });
}

/**
 * Completes a sign-in that started with a password. A wrong code leaves its ticket unchanged. Throws
 * `sign_in_expired`, `rate_limit_exceeded`, and as `spendCode`, `checkPasskey` and `openSession`.
 */
async function finishSignIn(
  context: AccessContext,
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
      return openSession(context, queries, userId, "password", origin, { secondFactor: way });
    }
    if ((await checkPasskey(config, queries, credential, challenge)) !== userId)
      throw refusedPasskey("This passkey belongs to somebody else.");
    return openSession(context, queries, userId, "password", origin, { secondFactor: "passkey" });
  });
  await attempt?.succeed();
  return session;
}
