import {
  type Invitation,
  type InvitationCreate,
  type InvitationWithLink,
  invitationRoutes,
} from "#contract/accounts/team.ts";
import { newId } from "#contract/ids.ts";
import { type Deleted, deleted, type List, type PageQuery } from "#contract/list.ts";
import type { AccessContext } from "#gateway/access/context.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import { readPage } from "#gateway/platform/database/account-rows.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, gt, isNull, ne } from "#gateway/platform/database/drizzle.ts";
import { keyset } from "#gateway/platform/database/keyset.ts";
import { invitations, members, users } from "#gateway/platform/database/schema.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { queueMail } from "#gateway/platform/outbox/outbox.ts";
import { newEmail } from "../account.ts";
import { audited, recordAudit } from "../audit.ts";
import { newLinkToken } from "../link-token.ts";
import { assertReaches, lockTeam } from "../members/team.ts";
import { accountName, languageOf, readPeople } from "../people.ts";
import { originOf } from "../sessions/open.ts";
import {
  acceptInvitation,
  type InvitationRow,
  invitationView,
  lockInvitation,
  previewInvitation,
} from "./accept.ts";

export function installInvitations(app: App, context: AccessContext): void {
  serve(app, context, invitationRoutes, {
    "POST /account/invitations": (request) => invite(context, request.caller, request.body),
    "GET /account/invitations": ({ caller, query }) =>
      listInvitations(context, caller.actor.accountId, query),
    "DELETE /account/invitations/{id}": (request) =>
      revokeInvitation(context, request.caller, request.params.id),
    "POST /account/invitations/{id}/renew": (request) =>
      renewInvitation(context, request.caller, request.params.id),
    "POST /account/invitations/lookup": (request) =>
      previewInvitation(context, request.body.token, request.clientAddress),
    "POST /account/invitations/accept": async (request, reply) => {
      const session = await acceptInvitation(context, request.body, request.actor, originOf(request));
      return reply.header("cache-control", "no-store").send(session);
    },
  });
}

const lifetimeMs = 7 * 86_400_000;

/**
 * Invites an e-mail address with a role at or below the caller's; an earlier open invitation to the address
 * ends. Only this answer contains the link. Throws `role_not_allowed`, `member_exists`,
 * `too_many_invitations`, and as `newEmail`.
 */
async function invite(
  context: AccessContext,
  caller: Caller,
  input: InvitationCreate,
): Promise<InvitationWithLink> {
  const { accountId } = caller.actor;
  const email = newEmail(input.email);
  return context.database.transaction(async (queries) => {
    const team = await lockTeam(queries, accountId);
    await assertReaches(queries, team, caller.actor, input.role);
    await assertNoMember(queries, accountId, email);
    const id = newId("invitation");
    await replaceOpen(queries, accountId, email, id);
    await assertRoomForInvitation(queries, context.config, accountId, id);
    const { token, tokenHash } = newLinkToken(id);
    const [row] = await queries
      .insert(invitations)
      .values({
        id,
        accountId,
        email,
        role: input.role,
        tokenHash,
        invitedBy: caller.actor.userId,
        language: input.language ?? null,
        expiresAt: new Date(clock.now() + lifetimeMs),
      })
      .returning();
    return withLink(context, queries, caller, "invitation.created", token, row);
  });
}

/** Gives an unaccepted invitation a new link and another week. Throws `invitation_used`, and as `invite`. */
async function renewInvitation(
  context: AccessContext,
  caller: Caller,
  id: string,
): Promise<InvitationWithLink> {
  const { accountId } = caller.actor;
  return context.database.transaction(async (queries) => {
    const team = await lockTeam(queries, accountId);
    const before = await lockInvitation(queries, accountId, id);
    await assertReaches(queries, team, caller.actor, before.role);
    assertNotAccepted(before);
    await assertNoMember(queries, accountId, before.email);
    await replaceOpen(queries, accountId, before.email, id);
    await assertRoomForInvitation(queries, context.config, accountId, id);
    const { token, tokenHash } = newLinkToken(id);
    const [row] = await queries
      .update(invitations)
      .set({
        tokenHash,
        invitedBy: caller.actor.userId,
        expiresAt: new Date(clock.now() + lifetimeMs),
        revokedAt: null,
        replacedBy: null,
      })
      .where(eq(invitations.id, id))
      .returning();
    return withLink(context, queries, caller, "invitation.renewed", token, row);
  });
}

/** Ends all open invitations to an address except one. */
async function replaceOpen(queries: Queries, accountId: string, email: string, by: string): Promise<void> {
  await queries
    .update(invitations)
    .set({ revokedAt: clock.date(), replacedBy: by })
    .where(
      and(
        eq(invitations.accountId, accountId),
        eq(invitations.email, email),
        ne(invitations.id, by),
        isNull(invitations.acceptedAt),
        isNull(invitations.revokedAt),
      ),
    );
}

/** Throws `invitation_used`. */
function assertNotAccepted({ acceptedAt }: InvitationRow): void {
  if (acceptedAt)
    throw new ApiError("invitation_used", "This invitation was already accepted. Remove the member instead.");
}

async function assertNoMember(queries: Queries, accountId: string, email: string): Promise<void> {
  const [member] = await queries
    .select({ id: users.id })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(and(eq(members.accountId, accountId), eq(users.email, email)));
  if (member)
    throw new ApiError("member_exists", "Somebody with this e-mail address is already a member.", {
      param: "email",
    });
}

/** Counts only open invitations; `id`: the one that is about to open. */
async function assertRoomForInvitation(
  queries: Queries,
  { invitationsPerAccount }: Config,
  accountId: string,
  id: string,
): Promise<void> {
  const open = and(
    eq(invitations.accountId, accountId),
    ne(invitations.id, id),
    isNull(invitations.acceptedAt),
    isNull(invitations.revokedAt),
    gt(invitations.expiresAt, clock.date()),
  );
  if ((await queries.$count(invitations, open)) >= invitationsPerAccount)
    throw new ApiError(
      "too_many_invitations",
      `An account can have at most ${invitationsPerAccount} open invitations. Withdraw one first.`,
    );
}

async function withLink(
  { config }: AccessContext,
  queries: Queries,
  { actor, ip, requestId }: Caller,
  action: "invitation.created" | "invitation.renewed",
  token: string,
  row: InvitationRow | undefined,
): Promise<InvitationWithLink> {
  if (!row) throw new ApiError("internal_error", "The invitation was not saved.");
  const { id, email, role, invitedBy } = row;
  const detail = { email, role };
  await recordAudit(queries, {
    accountId: row.accountId,
    actor,
    action,
    targetId: id,
    detail,
    ip,
    requestId,
  });
  const people = await readPeople(queries, [invitedBy]);
  const url = `${config.consoleUrl}/invite#${token}`;
  const mailed = await queueMail(queries, config, {
    kind: "invitation",
    address: email,
    accountId: row.accountId,
    data: {
      by: people.find(invitedBy)?.name ?? null,
      account: (await accountName(queries, row.accountId)) ?? "",
      role,
      expires_at: row.expiresAt.toISOString(),
    },
    language: row.language ?? (await languageOf(queries, invitedBy)),
    link: url,
  });
  return { ...invitationView(row, people), url, token, mailed };
}

/** The account's invitations with their states, newest first. */
async function listInvitations(
  { database }: AccessContext,
  accountId: string,
  query: PageQuery,
): Promise<List<Invitation>> {
  const { queries } = database;
  const page = keyset("invitation", invitations.id, query, [eq(invitations.accountId, accountId)]);
  return readPage(queries, page, queries.select().from(invitations).$dynamic(), async (rows) => {
    const people = await readPeople(
      queries,
      rows.map(({ invitedBy }) => invitedBy),
    );
    return rows.map((row) => invitationView(row, people));
  });
}

/** Withdraws an invitation. Throws `invitation_not_found`, `invitation_used`, `role_not_allowed`. */
async function revokeInvitation(context: AccessContext, caller: Caller, id: string): Promise<Deleted> {
  const { actor } = caller;
  const result = deleted("invitation", id);
  return audited(context, caller, "invitation.revoked", async (queries) => {
    const team = await lockTeam(queries, actor.accountId);
    const row = await lockInvitation(queries, actor.accountId, id);
    await assertReaches(queries, team, actor, row.role);
    assertNotAccepted(row);
    if (row.revokedAt) return { unchanged: result };
    await queries.update(invitations).set({ revokedAt: clock.date() }).where(eq(invitations.id, id));
    return { target: id, detail: { email: row.email, role: row.role }, result };
  });
}
