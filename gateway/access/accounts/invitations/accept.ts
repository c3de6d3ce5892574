import type { InvitationAccept, InvitationPreview } from "#contract/accounts/invitations.ts";
import type { Session } from "#contract/accounts/sessions.ts";
import { newId } from "#contract/ids.ts";
import type { BaseContext } from "#gateway/context.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { accounts, invitations, users } from "#gateway/platform/database/schema.ts";
import { countLinkTry } from "../link-token.ts";
import { addMember } from "../members/add.ts";
import { queuedHash } from "../passwords/hash.ts";
import { assertGoodPassword } from "../passwords/quality.ts";
import { readPeople } from "../people.ts";
import { refuseWithoutSecondFactor } from "../second-factor/ask.ts";
import { type Origin, openSession } from "../sessions/open.ts";
import { provePassword } from "../sessions/sign-in.ts";
import { assertOpen, findByToken, type InvitationRow, stateOf } from "./find.ts";

/** What is shown to somebody who has the link. Throws as `findByToken`. */
export async function previewInvitation(
  { database, limiter }: BaseContext,
  token: string,
  ip: string | null,
): Promise<InvitationPreview> {
  await countLinkTry(limiter, ip);
  const { queries } = database;
  const row = await findByToken(queries, token);
  const [account] = await queries
    .select({ name: accounts.name })
    .from(accounts)
    .where(eq(accounts.id, row.accountId));
  const people = await readPeople(queries, [row.invitedBy]);
  return {
    object: "invitation_preview",
    account_name: account?.name ?? "",
    email: row.email,
    role: row.role,
    state: stateOf(row),
    invited_by: people.find(row.invitedBy)?.name ?? null,
    expires_at: row.expiresAt.toISOString(),
  };
}

/**
 * Makes somebody a member, once, and signs them in. A signed-in person joins directly, an existing one with
 * only their password; a new person is created with the given name and password. Throws `email_taken`,
 * `invitation_not_for_you`, `member_exists`, and as `findByToken`, `assertOpen`, `provePassword` and
 * `assertGoodPassword`. An error leaves the invitation unchanged.
 */
export async function acceptInvitation(
  context: BaseContext,
  input: InvitationAccept,
  signedIn: Actor | null,
  origin: Origin,
): Promise<Session> {
  const { database, limiter, credentials } = context;
  await countLinkTry(limiter, origin.ip);
  const invitation = await findByToken(database.queries, input.token);
  assertOpen(invitation);
  const joining = await personOf(context, invitation, input, signedIn, origin);
  const session = await database.transaction(async (queries) => {
    const row = await findByToken(queries, input.token, true);
    assertOpen(row);
    const userId = "id" in joining ? joining.id : await insertUser(queries, joining);
    await joinByInvitation(queries, row, userId, origin);
    return openSession(queries, userId, "invitation", origin, { accountId: row.accountId });
  });
  if ("id" in joining) credentials.forget(joining.id);
  return session;
}

/** A user who proved their identity, or the data of a new one. */
type Joining = { id: string } | { email: string; name: string; passwordHash: string };

async function personOf(
  context: BaseContext,
  { email }: InvitationRow,
  { name, password }: InvitationAccept,
  signedIn: Actor | null,
  { ip }: Origin,
): Promise<Joining> {
  const known = await userWith(context.database.queries, email);
  if (signedIn?.kind === "user") {
    if (signedIn.id === known) return { id: known };
    throw new ApiError(
      "invitation_not_for_you",
      "This invitation is for a different e-mail address than yours. Sign out first.",
    );
  }
  if (password === undefined)
    throw new ApiError("missing_parameter", "Enter your password, or choose one.", { param: "password" });
  const given = name?.trim();
  if (!given) {
    // An unknown address gets the same answer as a wrong password, because the holder of a link may be its
    // creator.
    const id = await provePassword(context, { email, password }, ip);
    await refuseWithoutSecondFactor(context, id);
    return { id };
  }
  await assertGoodPassword(password, { email, name: given });
  if (known !== null)
    throw new ApiError(
      "email_taken",
      "Somebody already signs in here with this e-mail address. Sign in to join.",
    );
  return { email, name: given, passwordHash: await queuedHash(password, ip) };
}

async function userWith(queries: Queries, email: string): Promise<string | null> {
  const [user] = await queries.select({ id: users.id }).from(users).where(eq(users.email, email));
  return user?.id ?? null;
}

async function insertUser(
  queries: Queries,
  person: { email: string; name: string; passwordHash: string },
): Promise<string> {
  const [user] = await queries
    .insert(users)
    .values({ id: newId("user"), ...person })
    .onConflictDoNothing()
    .returning({ id: users.id });
  if (user) return user.id;
  throw new ApiError("email_taken", "There is now a user with this e-mail address. Sign in to join.");
}

/** Makes a user a member through an invitation addressed to them. Throws `member_exists`. */
export async function joinByInvitation(
  queries: Queries,
  { id, accountId, role, email }: InvitationRow,
  userId: string,
  { ip, requestId }: Origin,
): Promise<void> {
  const [user] = await queries.select({ name: users.name }).from(users).where(eq(users.id, userId));
  const isNew = await addMember(
    queries,
    { accountId, userId, role },
    {
      actor: { kind: "user", id: userId, userId, name: user?.name ?? email },
      detail: { email, invitation: id },
      ip,
      requestId,
    },
  );
  if (!isNew)
    throw new ApiError("member_exists", "You are already a member of this account. Sign in instead.");
  await queries.update(invitations).set({ acceptedAt: clock.date() }).where(eq(invitations.id, id));
}
