import type { PasswordChange, PasswordChanged } from "#contract/accounts/passwords.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { users } from "#gateway/platform/database/schema.ts";
import { type Caller, recordAuditOfPerson } from "../audit.ts";
import { endSessionsOf } from "../sessions/end.ts";
import { proveOwnPassword } from "../sessions/sign-in.ts";
import { expireResets } from "./create-reset.ts";
import { queuedHash } from "./hash-queue.ts";
import { assertGoodPassword } from "./quality.ts";

/** Changes the caller's password and ends their other sessions. Throws as `proveOwnPassword` and `assertGoodPassword`. */
export async function changePassword(
  context: Context,
  caller: Caller,
  input: PasswordChange,
): Promise<PasswordChanged> {
  const { actor, ip, requestId } = caller;
  const [user] = await context.database.queries.select().from(users).where(eq(users.id, actor.id));
  if (!user) throw new ApiError("invalid_api_key", "This user no longer exists.");
  await assertGoodPassword(input.new, user, "new");
  await proveOwnPassword(context, { email: user.email, password: input.current }, ip, "current");
  const passwordHash = await queuedHash(input.new, ip);
  const ended = await context.database.transaction(async (queries) => {
    await queries.update(users).set({ passwordHash }).where(eq(users.id, user.id));
    await expireResets(queries, user.id);
    const count = await endSessionsOf(queries, user.id, actor.sessionId);
    await recordAuditOfPerson(queries, user.id, {
      actor,
      action: "password.changed",
      targetId: user.id,
      detail: { sessions_ended: count },
      ip,
      requestId,
    });
    return count;
  });
  context.credentials.forget(user.id);
  return { object: "password", sessions_ended: ended };
}
