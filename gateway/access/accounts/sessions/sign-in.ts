import type { Session } from "#contract/accounts/sessions.ts";
import type { BaseContext } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { users } from "#gateway/platform/database/schema.ts";
import { queuedVerify } from "../passwords/hash.ts";
import { askSecondFactor } from "../second-factor/ask.ts";
import { type Origin, openSession } from "./open.ts";
import { countAttempt } from "./sign-in-attempts.ts";

/** Checks e-mail and password and opens a session. Throws as `provePassword`, `askSecondFactor` and `openSession`. */
export async function signIn(
  context: BaseContext,
  input: { email: string; password: string },
  origin: Origin,
): Promise<Session> {
  const userId = await provePassword(context, input, origin.ip);
  await askSecondFactor(context, userId);
  return context.database.transaction((queries) => openSession(queries, userId, "password", origin));
}

/** The user with this e-mail address and password. Throws `invalid_credentials` or `rate_limit_exceeded`. */
export async function provePassword(
  context: BaseContext,
  input: { email: string; password: string },
  ip: string | null,
): Promise<string> {
  const email = input.email.trim().toLowerCase();
  const attempt = await countAttempt(context, email, ip);
  const user = await userOf(context, email, input.password, ip).catch(async (error: unknown) => {
    await attempt.withdraw();
    throw error;
  });
  if (!user) throw new ApiError("invalid_credentials", "Wrong e-mail address or password.");
  await attempt.succeed();
  return user.id;
}

/**
 * Checks the password that a signed-in person enters again as `param`. Throws `invalid_credentials` or
 * `rate_limit_exceeded`.
 */
export async function proveOwnPassword(
  context: BaseContext,
  input: { email: string; password: string },
  ip: string | null,
  param: string,
): Promise<void> {
  await provePassword(context, input, ip).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== "invalid_credentials") throw error;
    throw new ApiError("invalid_credentials", "This is not your current password.", { param });
  });
}

/** The user with this e-mail address and password, or null. */
async function userOf(context: BaseContext, email: string, password: string, ip: string | null) {
  const [user] = await context.database.queries.select().from(users).where(eq(users.email, email));
  return (await queuedVerify(password, user?.passwordHash ?? null, ip)) && user ? user : null;
}
