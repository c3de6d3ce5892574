import type { RegistrationResponseJSON } from "@simplewebauthn/server";
import type {
  Passkey,
  PasskeyCreate,
  PasskeyOptions,
  PasskeyUpdate,
  SecondFactorAdded,
  WithProof,
} from "#contract/accounts/second-factor.ts";
import { newId } from "#contract/ids.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { and, eq } from "#gateway/platform/database/drizzle.ts";
import { passkeys } from "#gateway/platform/database/schema.ts";
import { type Caller, recordAuditOfPerson } from "../audit.ts";
import { addedSecondFactor, removeSecondFactor } from "./changes.ts";
import { relyingParty } from "./passkey-check.ts";
import { assertProof, personOf } from "./proof.ts";
import { passkeysOf, passkeyView } from "./read.ts";
import { issueTicket, takeTicket } from "./tickets.ts";

const mostPasskeys = 20;
/** Ed25519, P-256 and RSA: every authenticator has one. The library would try others that Node calls experimental. */
const algorithms = [-8, -7, -257];

/** What the browser needs to make a passkey. Throws `passkeys_unavailable`, and as `assertProof`. */
export async function beginPasskey(
  context: Context,
  caller: Caller,
  { proof }: WithProof,
): Promise<PasskeyOptions> {
  const { queries } = context.database;
  const { id: rpID } = relyingParty(context.config);
  const user = await personOf(context, caller.actor);
  const known = await passkeysOf(queries, user.id);
  if (known.length >= mostPasskeys)
    throw new ApiError("invalid_parameter", `You have ${mostPasskeys} passkeys. Remove one first.`);
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
    // It must sign in without an e-mail address typed, and prove who holds it.
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  const about = { purpose: "passkey_setup" as const, userId: user.id, challenge: options.challenge };
  const { token, expiresAt } = await issueTicket(queries, about);
  return {
    object: "passkey_options",
    ticket: token,
    expires_at: expiresAt.toISOString(),
    public_key: { ...options },
  };
}

/** Keeps what the browser made. Throws `sign_in_expired`, `invalid_second_factor`. */
export async function createPasskey(
  context: Context,
  caller: Caller,
  { ticket, name, credential }: PasskeyCreate,
): Promise<SecondFactorAdded> {
  const { actor, ip, requestId } = caller;
  const added = await context.database.transaction(async (queries) => {
    const { userId, challenge } = await takeTicket(queries, ticket, "passkey_setup");
    if (userId !== actor.id) throw notUsable();
    const made = await verified(context, credential, challenge ?? "");
    const id = newId("passkey");
    const [row] = await queries
      .insert(passkeys)
      .values({ id, userId, name: name.trim(), ...made })
      .onConflictDoNothing()
      .returning({ id: passkeys.id });
    if (!row) throw notUsable("This passkey was added already.");
    const detail = { name: name.trim(), synced: made.isSynced };
    const entry = { actor, action: "passkey.created" as const, targetId: id, detail, ip, requestId };
    await recordAuditOfPerson(queries, actor.id, entry);
    return addedSecondFactor(queries, caller, id);
  });
  context.credentials.forget(actor.id);
  return added;
}

/** Renames a passkey. Throws `passkey_not_found`. */
export async function updatePasskey(
  { database }: Context,
  { actor, ip, requestId }: Caller,
  id: string,
  { name }: PasskeyUpdate,
): Promise<Passkey> {
  return database.transaction(async (queries) => {
    const [row] = await queries
      .update(passkeys)
      .set({ name: name.trim() })
      .where(and(eq(passkeys.id, id), eq(passkeys.userId, actor.id)))
      .returning();
    if (!row) throw passkeyNotFound();
    const action = "passkey.updated" as const;
    const entry = { actor, action, targetId: id, detail: { name: row.name }, ip, requestId };
    await recordAuditOfPerson(queries, actor.id, entry);
    return passkeyView(row);
  });
}

/** Throws `passkey_not_found`, and as `removeSecondFactor`. */
export async function removePasskey(
  context: Context,
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
  context: Context,
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
    throw notUsable(undefined, error);
  });
  if (!result.verified) throw notUsable();
  const { credential: made, credentialBackedUp } = result.registrationInfo;
  return {
    credentialId: made.id,
    publicKey: Buffer.from(made.publicKey).toString("base64url"),
    uses: made.counter,
    transports: credential.response.transports ?? [],
    isSynced: credentialBackedUp,
  };
}

function notUsable(message = "This passkey could not be checked. Try again.", cause?: unknown): ApiError {
  return new ApiError("invalid_second_factor", message, { param: "credential", cause });
}

function passkeyNotFound(): ApiError {
  return new ApiError("passkey_not_found", "There is no such passkey, or it was removed.");
}
