import type { PasswordReset } from "#contract/accounts/passwords.ts";
import { newId } from "#contract/ids.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, isNull } from "#gateway/platform/database/drizzle.ts";
import { passwordResets, users } from "#gateway/platform/database/schema.ts";
import { queueMail } from "#gateway/platform/outbox/queue-mail.ts";
import { type AuditedActor, type Caller, recordAuditOfPerson } from "../audit.ts";
import { newLinkToken } from "../link-token.ts";
import { assertReaches, hasOtherAccounts, lockTeam, memberOf } from "../members/team.ts";

const lifetimeMs = 24 * 3_600_000;

/**
 * Makes a link with which a member sets a new password, once. Only for members at or below the caller's role who belong
 * to no other account. Throws `member_not_found`, `role_not_allowed`, `member_of_others`.
 */
export async function createReset(context: Context, caller: Caller, userId: string): Promise<PasswordReset> {
  const { actor } = caller;
  return context.database.transaction(async (queries) => {
    const team = await lockTeam(queries, actor.accountId);
    const { role } = memberOf(team, userId);
    if (userId === actor.id)
      throw new ApiError("invalid_parameter", "Change your own password in your profile.", {
        param: "user_id",
      });
    await assertReaches(queries, team, actor, role);
    if (await hasOtherAccounts(queries, userId, actor.accountId))
      throw new ApiError(
        "member_of_others",
        "This member belongs to other accounts too. An operator creates the link on the server: `gatehouse users reset --email …`.",
      );
    const reset = await writeReset(queries, context.config, userId, caller);
    const [user] = await queries.select({ email: users.email }).from(users).where(eq(users.id, userId));
    const { url: link, expires_at } = reset;
    const mailed =
      user !== undefined &&
      (await queueMail(queries, context.config, {
        kind: "password_reset",
        address: user.email,
        userId,
        data: { email: user.email, expires_at },
        link,
      }));
    return { ...reset, mailed };
  });
}

/** Makes the link within the caller's transaction; it replaces earlier ones. `by` is null for the command line. */
export async function writeReset(
  queries: Queries,
  { consoleUrl }: Pick<Config, "consoleUrl">,
  userId: string,
  by: { actor: AuditedActor; ip: string | null; requestId: string | null } | null,
): Promise<PasswordReset> {
  const id = newId("passwordReset");
  const { token, tokenHash } = newLinkToken(id);
  const expiresAt = new Date(clock.now() + lifetimeMs);
  await expireResets(queries, userId);
  await queries
    .insert(passwordResets)
    .values({ id, userId, tokenHash, madeBy: by?.actor.userId ?? null, expiresAt });
  await recordAuditOfPerson(queries, userId, {
    actor: by?.actor ?? null,
    action: "password.reset_link_created",
    targetId: userId,
    detail: { expires_at: expiresAt.toISOString() },
    ip: by?.ip ?? null,
    requestId: by?.requestId ?? null,
  });
  const url = `${consoleUrl}/reset#${token}`;
  return { id, object: "password_reset", url, token, expires_at: expiresAt.toISOString(), mailed: false };
}

/** A new password or a new link makes the earlier links useless. */
export async function expireResets(queries: Queries, userId: string): Promise<void> {
  await queries
    .update(passwordResets)
    .set({ expiresAt: clock.date() })
    .where(and(eq(passwordResets.userId, userId), isNull(passwordResets.usedAt)));
}
