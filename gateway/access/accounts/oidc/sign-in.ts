import { randomBytes } from "node:crypto";
import type { Session } from "#contract/accounts/account.ts";
import type { ProviderPurpose } from "#contract/accounts/oidc.ts";
import { newId } from "#contract/ids.ts";
import type { AccessContext } from "#gateway/access/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { OidcConfig } from "#gateway/platform/core/oidc-config.ts";
import { lockName } from "#gateway/platform/database/account-rows.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, gt, isNull } from "#gateway/platform/database/drizzle.ts";
import { rowSweep } from "#gateway/platform/database/row-sweep.ts";
import {
  identities,
  invitations,
  providerSessions,
  providerSignIns,
  users,
} from "#gateway/platform/database/schema.ts";
import { recordAuditOfPerson } from "../audit.ts";
import { assertOpen, type InvitationRow, joinByInvitation } from "../invitations/accept.ts";
import { credentialHash } from "../keys/format.ts";
import { type Origin, openSession } from "../sessions/open.ts";
import {
  allClaims,
  type ClaimedEmail,
  domainRefusal,
  emailOf,
  nameOf,
  type ProvedClaims,
  refusalTexts,
} from "./claims.ts";
import {
  addNewMember,
  decideRoles,
  firstAccount,
  followRoles,
  type RoleDecision,
  rolesOfNewMember,
} from "./memberships.ts";
import type { Expected } from "./provider.ts";

/** The facts about a person from a verified sign-in. */
export interface ProvedPerson {
  proved: ProvedClaims;
  email: ClaimedEmail | null;
  name: string;
  decision: RoleDecision;
}

/** Throws `provider_sign_in_refused` for an address of another domain. */
export async function readPerson(
  queries: Queries,
  settings: OidcConfig,
  proved: ProvedClaims,
): Promise<ProvedPerson> {
  const claims = allClaims(proved);
  const email = emailOf(proved);
  const refusal = domainRefusal(settings, claims, email);
  if (refusal !== null) throw refused(refusalTexts[refusal]);
  const decision = decideRoles(settings, claims, await firstAccount(queries));
  return { proved, email, name: nameOf(claims, email?.address ?? proved.subject), decision };
}

export type SignInRow = typeof providerSignIns.$inferSelect;

/**
 * Signs a person in: one known by issuer and subject, one with an invitation to their verified address, or a
 * new one. Throws `provider_sign_in_refused`, `email_taken`, `invitation_not_for_you`, and as `assertOpen`,
 * `joinByInvitation` and `openSession`.
 */
export async function signInWithProvider(
  context: AccessContext,
  settings: OidcConfig,
  attempt: SignInRow,
  person: ProvedPerson,
  origin: Origin,
): Promise<Session> {
  const { issuer, subject, providerSession } = person.proved;
  const { userId, identityId, joined } = await context.database.transaction(async (queries) => {
    // Two concurrent first sign-ins of one person must create only one user.
    await lockName(queries, `${issuer} ${subject}`);
    const invitation = await invitationOf(queries, attempt, person);
    const identity = await identityOf(queries, issuer, subject);
    const userId = identity?.userId ?? (await findOrMakeUser(queries, settings, invitation, person));
    const identityId = identity?.id ?? (await insertIdentity(queries, userId, person, origin));
    if (invitation) await joinByInvitation(queries, invitation, userId, origin);
    const who = { userId, name: person.name };
    if (identity || invitation) await followRoles(context, queries, settings, person.decision, who, origin);
    else if (!(await addNewMember(context, queries, settings, person.decision, who, origin))) throw noRole();
    await markVerified(queries, userId, person.email);
    return { userId, identityId, joined: invitation?.accountId };
  });
  context.credentials.forget(userId);
  // A separate transaction: a removed role stays removed even if the person then has no account left to sign
  // in to.
  return context.database.transaction(async (queries) => {
    await queries
      .update(identities)
      .set({ email: person.email?.address ?? null, lastSignedInAt: clock.date() })
      .where(eq(identities.id, identityId));
    const opened = await openSession(
      context,
      queries,
      userId,
      "oidc",
      origin,
      joined ? { accountId: joined } : {},
    );
    await queries.insert(providerSessions).values({ sessionId: opened.id, identityId, providerSession });
    return opened;
  });
}

async function identityOf(queries: Queries, issuer: string, subject: string) {
  const [identity] = await queries
    .select({ id: identities.id, userId: identities.userId })
    .from(identities)
    .where(and(eq(identities.issuer, issuer), eq(identities.subject, subject)));
  return identity;
}

/** The invitation that the sign-in started from, locked. */
async function invitationOf(
  queries: Queries,
  { invitationId, invitationHash }: SignInRow,
  { email }: ProvedPerson,
): Promise<InvitationRow | null> {
  if (invitationId === null) return null;
  const [row] = await queries
    .select()
    .from(invitations)
    .where(eq(invitations.id, invitationId))
    .for("update");
  if (!row || row.tokenHash !== invitationHash)
    throw new ApiError(
      "invitation_expired",
      "This invitation was replaced by a newer one. Use the newer link.",
    );
  assertOpen(row);
  if (!email?.verified || email.address !== row.email)
    throw new ApiError(
      "invitation_not_for_you",
      "This invitation is for a different e-mail address. Sign in to the identity provider with the invited address.",
    );
  return row;
}

/**
 * For a person whom the provider has never sent before. Only an invitation links such a person to an existing
 * user.
 */
async function findOrMakeUser(
  queries: Queries,
  settings: OidcConfig,
  invitation: InvitationRow | null,
  person: ProvedPerson,
): Promise<string> {
  const { email, decision } = person;
  if (!invitation) await assertBecomesMember(queries, settings, decision);
  if (!email)
    throw refused(
      "The identity provider sent no e-mail address. Ask the operator of Gatehouse to request the e-mail scope.",
    );
  const [known] = await queries.select({ id: users.id }).from(users).where(eq(users.email, email.address));
  if (known && invitation) return known.id;
  const id = newId("user");
  const [made] = known
    ? []
    : await queries
        .insert(users)
        .values({ id, email: email.address, name: person.name })
        .onConflictDoNothing()
        .returning({ id: users.id });
  if (made) return made.id;
  throw new ApiError(
    "email_taken",
    "There is already a user with this e-mail address. If that is you, sign in as before and link the provider in your profile.",
  );
}

async function assertBecomesMember(
  queries: Queries,
  settings: OidcConfig,
  decision: RoleDecision,
): Promise<void> {
  if (!settings.createMembers)
    throw refused("Nobody becomes a member by signing in here. Ask a colleague for an invitation.");
  if (rolesOfNewMember(settings, decision, await firstAccount(queries)).length === 0) throw noRole();
}

/** Links an identity at the provider to a user. Throws `identity_taken`. */
export async function insertIdentity(
  queries: Queries,
  userId: string,
  { proved, email, name }: ProvedPerson,
  { ip, requestId }: Origin,
): Promise<string> {
  const { issuer, subject } = proved;
  const id = newId("identity");
  const [added] = await queries
    .insert(identities)
    .values({ id, userId, issuer, subject, email: email?.address ?? null })
    .onConflictDoNothing()
    .returning({ id: identities.id });
  if (!added)
    throw new ApiError(
      "identity_taken",
      "This sign-in is already linked to another user of Gatehouse. Use another one.",
    );
  await recordAuditOfPerson(queries, userId, {
    actor: { kind: "user", id: userId, userId, name },
    action: "identity.linked",
    targetId: id,
    detail: { issuer, email: email?.address ?? null },
    ip,
    requestId,
  });
  return id;
}

/** The provider's confirmation counts only if the address is the user's. */
export async function markVerified(
  queries: Queries,
  userId: string,
  email: ClaimedEmail | null,
): Promise<void> {
  if (!email?.verified) return;
  await queries
    .update(users)
    .set({ emailVerifiedAt: clock.date() })
    .where(and(eq(users.id, userId), eq(users.email, email.address), isNull(users.emailVerifiedAt)));
}

function noRole(): ApiError {
  return refused("The identity provider gives you no role here. Ask the operator of Gatehouse.");
}

function refused(message: string): ApiError {
  return new ApiError("provider_sign_in_refused", message);
}

const attemptMs = 600_000;

export interface Intent {
  purpose: ProviderPurpose;
  userId: string | null;
  invitation: { id: string; tokenHash: string } | null;
}

export const providerSignInSweep = rowSweep({
  kind: "provider_sign_ins",
  table: "provider_sign_ins",
  dueAt: "expires_at",
});

/** Stores, for ten minutes, the values that a browser must bring back from the provider. */
export async function beginSignIn(
  queries: Queries,
  { purpose, userId, invitation }: Intent,
): Promise<Expected & { expiresAt: Date }> {
  const expected = { state: randomText(), nonce: randomText(), codeVerifier: randomText() };
  const expiresAt = new Date(clock.now() + attemptMs);
  await queries.insert(providerSignIns).values({
    stateHash: credentialHash(expected.state),
    purpose,
    nonce: expected.nonce,
    codeVerifier: expected.codeVerifier,
    userId,
    invitationId: invitation?.id ?? null,
    invitationHash: invitation?.tokenHash ?? null,
    expiresAt,
  });
  return { ...expected, expiresAt };
}

/** The minimum length of a PKCE code verifier. */
function randomText(): string {
  return randomBytes(32).toString("base64url");
}

/** Takes the data stored for a `state` parameter, which works only once. Throws `sign_in_expired`. */
export async function takeSignIn(queries: Queries, state: string): Promise<SignInRow> {
  const now = clock.date();
  const [row] = await queries
    .update(providerSignIns)
    .set({ usedAt: now })
    .where(
      and(
        eq(providerSignIns.stateHash, credentialHash(state)),
        isNull(providerSignIns.usedAt),
        gt(providerSignIns.expiresAt, now),
      ),
    )
    .returning();
  if (!row)
    throw new ApiError(
      "sign_in_expired",
      "This sign-in took longer than ten minutes, or was already finished. Start again.",
    );
  return row;
}
