import { type Cause, canHear, noticeCauses, rulesOf } from "#contract/notice-constants.ts";
import type { NoticePreferences, NoticePreferencesUpdate } from "#contract/notices.ts";
import type { Context } from "#gateway/context.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { eq, sql } from "#gateway/platform/database/drizzle.ts";
import { noticePreferences, users } from "#gateway/platform/database/schema.ts";

/** What the caller hears of, and how: of each cause that they can hear of in this account. */
export async function readPreferences(
  { database, config }: Context,
  actor: Actor,
): Promise<NoticePreferences> {
  const [found] = await database.queries
    .select({ email: users.email, choices: noticePreferences.choices })
    .from(users)
    .leftJoin(noticePreferences, eq(noticePreferences.userId, users.id))
    .where(eq(users.id, actor.id));
  if (!found) throw new ApiError("invalid_api_key", "This user no longer exists.");
  return {
    object: "notice_preferences",
    data: audible(actor).map((cause) => {
      const chosen = found.choices?.[cause];
      const { console, email } = chosen ?? rulesOf(cause);
      return { cause, console, email, is_default: chosen === undefined };
    }),
    email: { address: found.email, available: config.smtp !== null },
  };
}

/** Saves choices; of causes that are not named they stay. Throws `invalid_parameter` for one that the caller never hears of. */
export async function updatePreferences(
  context: Context,
  actor: Actor,
  { choices }: NoticePreferencesUpdate,
): Promise<NoticePreferences> {
  const known = new Set<string>(audible(actor));
  const unknown = Object.keys(choices).find((cause) => !known.has(cause));
  if (unknown !== undefined)
    throw new ApiError("invalid_parameter", `Your role does not hear of ${unknown}.`, { param: "choices" });
  await context.database.queries
    .insert(noticePreferences)
    .values({ userId: actor.id, choices })
    .onConflictDoUpdate({
      target: noticePreferences.userId,
      set: { choices: sql`${noticePreferences.choices} || excluded.choices` },
    });
  return readPreferences(context, actor);
}

function audible({ role, isOperator }: Actor): Cause[] {
  return noticeCauses.filter((cause) => canHear(cause, role, isOperator));
}
