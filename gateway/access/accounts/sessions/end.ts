import type { FastifyReply } from "fastify";
import type { BaseContext } from "#gateway/context.ts";
import type { Actor, Caller } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, isNull, ne } from "#gateway/platform/database/drizzle.ts";
import { sessions } from "#gateway/platform/database/schema.ts";
import { whenClosed } from "#gateway/platform/http/when-closed.ts";
import { audited, recordAuditOfPerson } from "../audit.ts";
import { lockTeam } from "../members/team.ts";
import { assertMayManageSessions } from "./of-member.ts";

/** Ends the caller's current session. Throws `user_session_required` if there is none. */
export async function endCurrentSession(context: BaseContext, actor: Actor): Promise<string> {
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
export async function endSession(context: BaseContext, caller: Caller, id: string): Promise<void> {
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

/** Ends the caller's sessions except the current one; returns how many. */
export async function endOtherSessions(context: BaseContext, caller: Caller): Promise<number> {
  const { actor, ip, requestId } = caller;
  const ended = await context.database.transaction(async (queries) => {
    const count = await endSessionsOf(queries, actor.id, actor.sessionId);
    const entry = { actor, action: "session.ended" as const, targetId: actor.id, ip, requestId };
    await recordAuditOfPerson(queries, actor.id, {
      ...entry,
      detail: { user_id: actor.id, sessions: count },
    });
    return count;
  });
  context.credentials.forget(actor.id);
  return ended;
}

/** Ends all sessions of a member; returns how many. Throws as `assertMayManageSessions`. */
export async function endMemberSessions(
  context: BaseContext,
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

const keepaliveMs = 15_000;

/**
 * A stream of server-sent events that stays silent while the caller's credential is valid. Within a second
 * after it becomes invalid, one event `ended` is sent and the stream closes. If this process stops, the
 * stream closes without that event, and the client should connect again.
 */
export function streamSessionEnd(
  { credentials, drain }: BaseContext,
  reply: FastifyReply,
  actor: Actor,
): void {
  reply.headers({
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store, no-transform",
  });
  const headers = reply.getHeaders();
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, headers as Record<string, string>);
  raw.write(": open\n\n");
  const stopWatching = credentials.watch(actor, null, () => raw.end("event: ended\ndata: {}\n\n"));
  const stopWaiting = drain.onBegin(() => raw.end());
  const keepalive = setInterval(() => raw.write(": keepalive\n\n"), keepaliveMs);
  whenClosed(raw, () => {
    stopWatching();
    stopWaiting();
    clearInterval(keepalive);
  });
}
