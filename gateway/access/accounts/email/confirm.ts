import type { EmailChanged, EmailChangePreview } from "#contract/accounts/email-change.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { emailChanges, users } from "#gateway/platform/database/schema.ts";
import { queueMail } from "#gateway/platform/outbox/queue-mail.ts";
import { recordAuditOfPerson } from "../audit.ts";
import { countLinkTry } from "../link-token.ts";
import { expireResets } from "../passwords/create-reset.ts";
import type { Origin } from "../sessions/open.ts";
import { expireEmailChanges } from "./change.ts";
import { findEmailChange, stateOf } from "./find.ts";

/** What the holder of a link may know of it. Throws `email_change_not_found`. */
export async function previewEmailChange(
  { database, limiter }: Context,
  token: string,
  ip: string | null,
): Promise<EmailChangePreview> {
  await countLinkTry(limiter, ip);
  const { change, user } = await findEmailChange(database.queries, token);
  const state = stateOf(change);
  return {
    object: "email_change_preview",
    email: change.email,
    from: state === "open" ? user.email : null,
    state,
    expires_at: change.expiresAt.toISOString(),
  };
}

/**
 * Gives somebody the address whose link they opened, and tells the address before. Links to set a password that went there end. Throws
 * `email_change_not_found`, `email_change_used`, `email_change_expired` and `email_taken`.
 */
export async function confirmEmailChange(
  { config, database, limiter, credentials }: Context,
  token: string,
  { ip, requestId }: Origin,
): Promise<EmailChanged> {
  await countLinkTry(limiter, ip);
  const { userId, email } = await database.transaction(async (queries) => {
    const { change, user } = await findEmailChange(queries, token, true);
    const state = stateOf(change);
    if (state === "used") throw new ApiError("email_change_used", "This link was used already.");
    if (state === "expired")
      throw new ApiError(
        "email_change_expired",
        "This link has expired, or a newer one was made. Start again.",
      );
    const [other] = await queries.select({ id: users.id }).from(users).where(eq(users.email, change.email));
    if (other) throw new ApiError("email_taken", "Somebody signs in with this e-mail address already.");
    await queries
      .update(users)
      .set({ email: change.email, emailVerifiedAt: clock.date() })
      .where(eq(users.id, user.id));
    await queries.update(emailChanges).set({ usedAt: clock.date() }).where(eq(emailChanges.id, change.id));
    await expireEmailChanges(queries, user.id);
    await expireResets(queries, user.id);
    await recordAuditOfPerson(queries, user.id, {
      actor: { kind: "user", id: user.id, userId: user.id, name: user.name },
      action: "email.changed",
      targetId: user.id,
      detail: { from: user.email, email: change.email },
      ip,
      requestId,
    });
    await queueMail(queries, config, {
      kind: "email_changed",
      address: user.email,
      userId: user.id,
      data: { to: change.email, ip },
    });
    return { userId: user.id, email: change.email };
  });
  credentials.forget(userId);
  return { object: "email", email };
}
