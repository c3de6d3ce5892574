import { eq } from "drizzle-orm";
import type { Context } from "#gateway/context.ts";
import type { Actor } from "#gateway/core/actor.ts";
import { ApiError } from "#gateway/core/api-error.ts";
import { clock } from "#gateway/core/clock.ts";
import { sessions } from "#gateway/database/schema.ts";

/** Ends the caller's session. Throws `user_session_required` when the caller has none. */
export async function endOwnSession(context: Context, actor: Actor): Promise<string> {
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
