import type { Session } from "#contract/accounts/account.ts";
import type {
  Invitation,
  InvitationAccept,
  InvitationPreview,
  InvitationState,
} from "#contract/accounts/team.ts";
import { newId } from "#contract/ids.ts";
import type { AccessContext } from "#gateway/access/context.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq } from "#gateway/platform/database/drizzle.ts";
import { rowSweep } from "#gateway/platform/database/row-sweep.ts";
import { invitations, users } from "#gateway/platform/database/schema.ts";
import { countLinkTry, idInToken, isTokenOf } from "../link-token.ts";
import { addMember } from "../members/membership.ts";
import { assertGoodPassword, queuedHash } from "../passwords/password.ts";
import { accountName, type People, readPeople } from "../people.ts";
import { refuseWithoutSecondFactor } from "../second-factor/tickets.ts";
import { type Origin, openSession } from "../sessions/open.ts";
import { provePassword } from "../sessions/sign-in.ts";

export type InvitationRow = typeof invitations.$inferSelect;

/** What is shown to somebody who has the link. Throws as `findByToken`. */
export async function previewInvitation(
  { database, limiter }: AccessContext,
  token: string,
  ip: string | null,
): Promise<InvitationPreview> {
  await countLinkTry(limiter, ip);
  const { queries } = database;
  const row = await findByToken(queries, token);
  const people = await readPeople(queries, [row.invitedBy]);
  return {
    object: "invitation_preview",
    account_name: (await accountName(queries, row.accountId)) ?? "",
    email: row.email,
    role: row.role,
    state: stateOf(row),
    invited_by: people.find(row.invitedBy)?.name ?? null,
    expires_at: row.expiresAt.toISOString(),
  };
}

/**
 * Finds the invitation by the token in its link. Throws `invitation_not_found`, or `invitation_expired` for a
 * link that was replaced.
 */
export async function findByToken(queries: Queries, token: string, locked = false): Promise<InvitationRow> {
  const query = queries
    .select()
    .from(invitations)
    .where(eq(invitations.id, idInToken("invitation", token) ?? ""));
  const [row] = await (locked ? query.for("update") : query);
  if (!row)
    throw new ApiError(
      "invitation_not_found",
      "This link is not valid. Copy the whole link, or ask for a new one.",
    );
  if (!isTokenOf(token, row.tokenHash))
    throw new ApiError("invitation_expired", "This link was replaced by a newer one. Use the newer link.");
  return row;
}

function stateOf({ acceptedAt, revokedAt, replacedBy, expiresAt }: InvitationRow): InvitationState {
  if (acceptedAt) return "accepted";
  if (revokedAt) return replacedBy ? "replaced" : "revoked";
  return expiresAt.getTime() <= clock.now() ? "expired" : "open";
}

/**
 * Makes somebody a member, once, and signs them in. A signed-in person joins directly, an existing one with
 * only their password; a new person is created with the given name and password. Throws `email_taken`,
 * `invitation_not_for_you`, `member_exists`, and as `findByToken`, `assertOpen`, `provePassword` and
 * `assertGoodPassword`. An error leaves the invitation unchanged.
 */
export async function acceptInvitation(
  context: AccessContext,
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
    return openSession(context, queries, userId, "invitation", origin, { accountId: row.accountId });
  });
  if ("id" in joining) credentials.forget(joining.id);
  return session;
}

/** Throws `invitation_used` or `invitation_expired`. */
export function assertOpen(row: InvitationRow): void {
  switch (stateOf(row)) {
    case "open":
      return;
    case "accepted":
      throw new ApiError("invitation_used", "This invitation was already accepted. Sign in instead.");
    case "expired":
      throw new ApiError("invitation_expired", "This invitation has expired. Ask for a new link.");
    case "revoked":
      throw new ApiError("invitation_expired", "This invitation was revoked. Ask for a new one.");
    case "replaced":
      throw new ApiError(
        "invitation_expired",
        "This invitation was replaced by a newer one. Use the newer link.",
      );
  }
}

/** A user who proved their identity, or the data of a new one. */
type Joining = { id: string } | NewPerson;

type NewPerson = Pick<typeof users.$inferInsert, "email" | "name" | "passwordHash" | "language">;

async function personOf(
  context: AccessContext,
  { email }: InvitationRow,
  { name, password, language }: InvitationAccept,
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
  return { email, name: given, passwordHash: await queuedHash(password, ip), language };
}

async function userWith(queries: Queries, email: string): Promise<string | null> {
  const [user] = await queries.select({ id: users.id }).from(users).where(eq(users.email, email));
  return user?.id ?? null;
}

async function insertUser(queries: Queries, person: NewPerson): Promise<string> {
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

/** The invitation of an account, locked. Throws `invitation_not_found`. */
export async function lockInvitation(
  queries: Queries,
  accountId: string,
  id: string,
): Promise<InvitationRow> {
  const [row] = await queries
    .select()
    .from(invitations)
    .where(and(eq(invitations.id, id), eq(invitations.accountId, accountId)))
    .for("update");
  if (!row) throw new ApiError("invitation_not_found", "There is no such invitation.");
  return row;
}

export function invitationView(row: InvitationRow, people: People): Invitation {
  return {
    id: row.id,
    object: "invitation",
    email: row.email,
    role: row.role,
    state: stateOf(row),
    invited_by: people.find(row.invitedBy),
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    accepted_at: row.acceptedAt?.toISOString() ?? null,
  };
}

/** How long invitations stay in the list after their end. */
const keptAfterSeconds = 90 * 86_400;

export const invitationSweep = rowSweep({
  kind: "invitations",
  table: "invitations",
  dueAt: "expires_at",
  afterSeconds: keptAfterSeconds,
});
