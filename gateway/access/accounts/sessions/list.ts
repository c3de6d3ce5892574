import type { SessionRow } from "#contract/accounts/sessions.ts";
import type { BaseContext } from "#gateway/context.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { and, desc, eq, gt, isNull } from "#gateway/platform/database/drizzle.ts";
import { sessions } from "#gateway/platform/database/schema.ts";
import { lockTeam } from "../members/team.ts";
import { assertMayManageSessions } from "./of-member.ts";

/** More sessions are not useful on a page; the oldest are left out. */
const maxSessions = 200;

/** A person's active sessions, newest first. */
export async function listSessions(
  { database }: BaseContext,
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
  context: BaseContext,
  actor: Actor,
  userId: string,
): Promise<SessionRow[]> {
  await context.database.transaction(async (queries) => {
    const team = await lockTeam(queries, actor.accountId);
    await assertMayManageSessions(queries, team, actor, userId);
  });
  return listSessions(context, actor, userId);
}
