import { eq } from "drizzle-orm";
import type { Account, Session } from "#contract/account.ts";
import { newId } from "#contract/ids.ts";
import type { Context } from "#gateway/context.ts";
import type { Actor } from "#gateway/core/actor.ts";
import { ApiError } from "#gateway/core/api-error.ts";
import { clock } from "#gateway/core/clock.ts";
import type { Queries } from "#gateway/database/database.ts";
import { rowSweep } from "#gateway/database/row-sweep.ts";
import { sessions, users } from "#gateway/database/schema.ts";
import { type Caller, recordAudit } from "./audit.ts";
import { credentialHash, newSessionToken } from "./keys/format.ts";
import { checkPassword } from "./passwords.ts";
import { accountOf, accountOfUser } from "./read-account.ts";
import { countAttempt } from "./sign-in-attempts.ts";

const sessionLifetimeMs = 30 * 86_400_000;
const keySessionLifetimeMs = 7 * 86_400_000;

interface Origin {
  ip: string | null;
  requestId: string | null;
}

/** Checks e-mail and password and opens a session. Throws `invalid_credentials` or `rate_limit_exceeded`. */
export async function signIn(
  context: Context,
  input: { email: string; password: string },
  origin: Origin,
): Promise<Session> {
  const email = input.email.trim().toLowerCase();
  const attempt = await countAttempt(context, email, origin.ip);
  const user = await userOf(context, email, input.password).catch(async (error: unknown) => {
    await attempt.withdraw();
    throw error;
  });
  if (!user) throw new ApiError("invalid_credentials", "Wrong e-mail address or password.");
  await attempt.succeed();
  return context.database.transaction((queries) => openSession(queries, user.id, origin));
}

/** The user with this e-mail address and password, or null. */
async function userOf(context: Context, email: string, password: string) {
  const [user] = await context.database.queries.select().from(users).where(eq(users.email, email));
  return (await checkPassword(password, user?.passwordHash ?? null)) && user ? user : null;
}

/** Opens a session for a user within the caller's transaction. */
export async function openSession(queries: Queries, userId: string, origin: Origin): Promise<Session> {
  const account = await accountOfUser(queries, userId);
  return writeSession(queries, account, { userId, lifetimeMs: sessionLifetimeMs }, origin);
}

/**
 * Opens a session for the calling account key: it has the key's permissions, ends with the key at the latest, and can
 * be ended separately. Throws `insufficient_scope` for other callers, a session of a key included.
 */
export async function openKeySession(context: Context, caller: Caller): Promise<Session> {
  const { actor, ip, requestId } = caller;
  const { secretHash } = actor;
  if (actor.kind !== "key" || actor.sessionId !== null || secretHash === undefined)
    throw new ApiError("insufficient_scope", "Only an account key itself can open a session of that key.");
  const account = await accountOf(context.database.queries, actor);
  const holder = { keyHash: secretHash, lifetimeMs: keySessionLifetimeMs };
  return context.database.transaction((queries) => writeSession(queries, account, holder, { ip, requestId }));
}

async function writeSession(
  queries: Queries,
  account: Account,
  { lifetimeMs, ...holder }: { userId?: string; keyHash?: string; lifetimeMs: number },
  origin: Origin,
): Promise<Session> {
  const token = newSessionToken();
  const id = newId("session");
  const expiresAt = new Date(clock.now() + lifetimeMs);
  await queries
    .insert(sessions)
    .values({ id, ...holder, tokenHash: credentialHash(token), ip: origin.ip, expiresAt });
  const { user, key } = account;
  await recordAudit(queries, {
    accountId: account.id,
    actor: user ? { kind: "user", id: user.id, name: user.name } : key && { ...key, kind: "key" },
    action: "session.created",
    targetId: id,
    ...origin,
  });
  return { id, object: "session", token, expires_at: expiresAt.toISOString(), account };
}

/** Ends the caller's session. Throws `user_session_required` when the caller has none. */
export async function endSession(context: Context, actor: Actor): Promise<string> {
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

export const sessionSweep = rowSweep({ kind: "sessions", table: "sessions", dueAt: "expires_at" });
