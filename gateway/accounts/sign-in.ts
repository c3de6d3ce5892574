import { eq } from "drizzle-orm";
import type { Session } from "#contract/account.ts";
import { newId } from "#contract/ids.ts";
import type { Context } from "#gateway/context.ts";
import type { Queries } from "#gateway/database/database.ts";
import { sessions, users } from "#gateway/database/schema.ts";
import { ApiError } from "#gateway/http/api-error.ts";
import { recordAudit } from "./audit.ts";
import { credentialHash, newSessionToken } from "./keys/format.ts";
import { checkPassword } from "./password-checks.ts";
import { accountOfUser } from "./read-account.ts";
import { countAttempt, forgetAttempts } from "./sign-in-attempts.ts";

const sessionLifetimeMs = 30 * 86_400_000;

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
  const attempt = countAttempt(email);
  const user = await userOf(context, email, input.password).catch((error: unknown) => {
    attempt.withdraw();
    throw error;
  });
  if (!user) throw new ApiError("invalid_credentials", "E-mail address or password is wrong.");
  forgetAttempts(email);
  return context.database.transaction((queries) => openSession(queries, user.id, origin));
}

/** The user with this address and password, or null. */
async function userOf(context: Context, email: string, password: string) {
  const [user] = await context.database.queries.select().from(users).where(eq(users.email, email));
  return (await checkPassword(password, user?.passwordHash ?? null)) && user ? user : null;
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
