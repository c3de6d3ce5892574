import type { FastifyReply } from "fastify";
import { type SessionRow, sessionRoutes } from "#contract/accounts/account.ts";
import { deleted } from "#contract/list.ts";
import type { AccessContext } from "#gateway/access/context.ts";
import type { Actor, Caller } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, desc, eq, gt, isNull, ne } from "#gateway/platform/database/drizzle.ts";
import { sessions } from "#gateway/platform/database/schema.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { openEventStream } from "#gateway/platform/http/event-stream.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { whenClosed } from "#gateway/platform/http/when-closed.ts";
import { audited, recordOwnAudit } from "../audit.ts";
import { assertReaches, hasOtherAccounts, lockTeam, memberOf, type Team } from "../members/team.ts";
import { openKeySession, originOf } from "./open.ts";
import { signIn } from "./sign-in.ts";

export function installSessions(app: App, context: AccessContext): void {
  serve(app, context, sessionRoutes, {
    "POST /account/sessions": async (request, reply) => {
      const session = await signIn(context, request.body, originOf(request));
      return reply.header("cache-control", "no-store").send(session);
    },
    "POST /account/sessions/key": (request) => openKeySession(context, request.caller, originOf(request)),
    "DELETE /account/sessions/current": async ({ caller }) =>
      deleted("session", await endCurrentSession(context, caller.actor)),
    "GET /account/sessions/current/events": ({ caller }, reply) =>
      streamSessionEnd(context, reply, caller.actor),
    "GET /account/sessions": async ({ caller: { actor } }) => {
      return { object: "list" as const, data: await listSessions(context, actor, actor.id) };
    },
    "DELETE /account/sessions": async (request) => ({
      object: "sessions" as const,
      ended: await endOtherSessions(context, request.caller),
    }),
    "DELETE /account/sessions/{id}": async (request) => {
      const { id } = request.params;
      await endSession(context, request.caller, id);
      return deleted("session", id);
    },
  });
}

/** Ends the caller's current session. Throws `user_session_required` if there is none. */
export async function endCurrentSession(context: AccessContext, actor: Actor): Promise<string> {
  if (!actor.sessionId)
    throw new ApiError(
      "user_session_required",
      "This is not a session, so it cannot be ended. Revoke the account key instead.",
    );
  await context.database.queries
    .update(sessions)
    .set({ revokedAt: clock.date() })
    .where(eq(sessions.id, actor.sessionId));
  context.credentials.forget(actor.sessionId);
  return actor.sessionId;
}

/** Ends one of the caller's sessions, or one of a member whom they manage. Throws `session_not_found`, and as `assertMayManageSessions`. */
export async function endSession(context: AccessContext, caller: Caller, id: string): Promise<void> {
  const { actor } = caller;
  await audited(context, caller, "session.ended", async (queries) => {
    const [session] = await queries
      .select({ userId: sessions.userId })
      .from(sessions)
      .where(and(eq(sessions.id, id), isNull(sessions.revokedAt)));
    const userId = session?.userId;
    if (!userId) throw sessionNotFound();
    if (userId !== actor.id) {
      const team = await lockTeam(queries, actor.accountId);
      if (!team.rows.some((row) => row.userId === userId)) throw sessionNotFound();
      await assertMayManageSessions(queries, team, actor, userId);
    }
    await queries.update(sessions).set({ revokedAt: clock.date() }).where(eq(sessions.id, id));
    return { target: id, detail: { user_id: userId, sessions: 1 }, result: null };
  });
  context.credentials.forget(id);
}

/**
 * Sessions belong to a person, not to one of their accounts. So only the person, operators, and managers of
 * the person's only account are allowed to see or end them. Throws `member_not_found`, `role_not_allowed`,
 * `member_of_others`.
 */
async function assertMayManageSessions(
  queries: Queries,
  team: Team,
  actor: Actor,
  userId: string,
): Promise<void> {
  const { role } = memberOf(team, userId);
  if (userId === actor.id) return;
  await assertReaches(queries, team, actor, role);
  if (actor.isOperator) return;
  if (await hasOtherAccounts(queries, userId, team.accountId))
    throw new ApiError(
      "member_of_others",
      "This member also belongs to other accounts, so only they or an operator can end their sessions. To end their access to this account, remove the member.",
    );
}

/** Ends the caller's sessions except the current one; returns how many. */
export async function endOtherSessions(context: AccessContext, caller: Caller): Promise<number> {
  const { actor } = caller;
  const ended = await context.database.transaction(async (queries) => {
    const count = await endSessionsOf(queries, actor.id, actor.sessionId);
    const detail = { user_id: actor.id, sessions: count };
    await recordOwnAudit(queries, caller, { action: "session.ended", targetId: actor.id, detail });
    return count;
  });
  context.credentials.forget(actor.id);
  return ended;
}

/** Ends all sessions of a member; returns how many. Throws as `assertMayManageSessions`. */
export async function endMemberSessions(
  context: AccessContext,
  caller: Caller,
  userId: string,
): Promise<number> {
  const { actor } = caller;
  const ended = await audited(context, caller, "session.ended", async (queries) => {
    const team = await lockTeam(queries, actor.accountId);
    await assertMayManageSessions(queries, team, actor, userId);
    const count = await endSessionsOf(queries, userId);
    return { target: userId, detail: { user_id: userId, sessions: count }, result: count };
  });
  context.credentials.forget(userId);
  return ended;
}

/** Ends the sessions of a user in the caller's transaction, except one; returns how many. */
export async function endSessionsOf(
  queries: Queries,
  userId: string,
  except: string | null = null,
): Promise<number> {
  const rows = await queries
    .update(sessions)
    .set({ revokedAt: clock.date() })
    .where(
      and(
        eq(sessions.userId, userId),
        isNull(sessions.revokedAt),
        except ? ne(sessions.id, except) : undefined,
      ),
    )
    .returning({ id: sessions.id });
  return rows.length;
}

function sessionNotFound(): ApiError {
  return new ApiError("session_not_found", "There is no such session, or it has ended.");
}

/**
 * A stream of server-sent events that stays silent while the caller's credential is valid. Within a second
 * after it becomes invalid, one event `ended` is sent and the stream closes. If this process stops, the
 * stream closes without that event, and the client should connect again.
 */
export function streamSessionEnd(
  { credentials, drain }: AccessContext,
  reply: FastifyReply,
  actor: Actor,
): void {
  const raw = openEventStream(reply, { "cache-control": "no-store, no-transform" });
  raw.write(": open\n\n");
  const stopWatching = credentials.watch(actor, null, () => raw.end("event: ended\ndata: {}\n\n"));
  const stopWaiting = drain.onBegin(() => raw.end());
  whenClosed(raw, () => {
    stopWatching();
    stopWaiting();
  });
}

/** More sessions are not useful on a page; the oldest are left out. */
const maxSessions = 200;

/** A person's active sessions, newest first. */
export async function listSessions(
  { database }: AccessContext,
  { sessionId }: Actor,
  userId: string,
): Promise<SessionRow[]> {
  const rows = await database.queries
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), isNull(sessions.revokedAt), gt(sessions.expiresAt, clock.date())))
    .orderBy(desc(sessions.id))
    .limit(maxSessions);
  return rows.map((row) => ({
    id: row.id,
    object: "session",
    current: row.id === sessionId,
    method: row.method,
    user_agent: row.userAgent,
    ip: row.lastSeenIp ?? row.ip,
    created_at: row.createdAt.toISOString(),
    last_seen_at: row.lastSeenAt?.toISOString() ?? null,
    expires_at: row.expiresAt.toISOString(),
  }));
}

/** A member's sessions, for somebody who manages them. Throws as `assertMayManageSessions`. */
export async function listMemberSessions(
  context: AccessContext,
  actor: Actor,
  userId: string,
): Promise<SessionRow[]> {
  await context.database.transaction(async (queries) => {
    const team = await lockTeam(queries, actor.accountId);
    await assertMayManageSessions(queries, team, actor, userId);
  });
  return listSessions(context, actor, userId);
}
