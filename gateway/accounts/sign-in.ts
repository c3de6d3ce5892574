import { eq } from "drizzle-orm";
import type { Session } from "#contract/account.ts";
import { newId } from "#contract/ids.ts";
import type { Context } from "#gateway/context.ts";
import type { Queries } from "#gateway/database/database.ts";
import { sessions, users } from "#gateway/database/schema.ts";
import { ApiError } from "#gateway/http/api-error.ts";
import { recordAudit } from "./audit.ts";
import { credentialHash, newSessionToken } from "./keys/format.ts";
import { verifyPassword } from "./passwords.ts";
import { accountOfUser } from "./read-account.ts";

const sessionLifetimeMs = 30 * 86_400_000;
/** Wrong passwords per e-mail address and minute before 429. */
const failuresPerMinute = 10;
const failures = new Map<string, number[]>();

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
  refuseGuessing(email);
  const [user] = await context.database.queries.select().from(users).where(eq(users.email, email));
  if (!(await verifyPassword(input.password, user?.passwordHash ?? null)) || !user) {
    failures.set(email, [...(failures.get(email) ?? []), Date.now()]);
    throw new ApiError("invalid_credentials", "E-mail address or password is wrong.");
  }
  failures.delete(email);
  return context.database.transaction((queries) => openSession(queries, user.id, origin));
}

/** Opens a session for a user within the caller's transaction. */
export async function openSession(queries: Queries, userId: string, origin: Origin): Promise<Session> {
  const token = newSessionToken();
  const id = newId("session");
  const expiresAt = new Date(Date.now() + sessionLifetimeMs);
  await queries
    .insert(sessions)
    .values({ id, userId, tokenHash: credentialHash(token), ip: origin.ip, expiresAt });
  const account = await accountOfUser(queries, userId);
  await recordAudit(queries, {
    accountId: account.id,
    actor: account.user && { kind: "user", id: account.user.id, name: account.user.name },
    action: "session.created",
    targetId: id,
    ...origin,
  });
  return { id, object: "session", token, expires_at: expiresAt.toISOString(), account };
}

function refuseGuessing(email: string): void {
  const since = Date.now() - 60_000;
  const recent = (failures.get(email) ?? []).filter((at) => at > since);
  if (recent.length === 0) failures.delete(email);
  else failures.set(email, recent);
  if (recent.length >= failuresPerMinute)
    throw new ApiError("rate_limit_exceeded", "Too many wrong passwords. Wait a minute and try again.", {
      retryAfterSeconds: 60,
    });
}
