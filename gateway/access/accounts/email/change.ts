import type { EmailChange, EmailChangeStarted } from "#contract/accounts/email-change.ts";
import { newId } from "#contract/ids.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, isNull } from "#gateway/platform/database/drizzle.ts";
import { emailChanges } from "#gateway/platform/database/schema.ts";
import { tooManyRequests } from "#gateway/platform/http/limits.ts";
import type { Limit } from "#gateway/platform/limits/limiter.ts";
import { queueMail } from "#gateway/platform/outbox/queue-mail.ts";
import { type Caller, recordAuditOfPerson } from "../audit.ts";
import { newLinkToken } from "../link-token.ts";
import { newEmail } from "../new-email.ts";
import { assertProof, personOf } from "../second-factor/proof.ts";

const lifetimeMs = 24 * 3_600_000;
const starts: Limit = { name: "e-mail changes", count: 5, periodMs: 3_600_000 };

/**
 * Begins to change the caller's address: a link goes to the new one, and until it is opened nothing changes. An earlier link
 * ends. It does not tell whether somebody else has the address: the link says so. Throws `mail_not_configured`,
 * `rate_limit_exceeded`, as `newEmail` and `assertProof`, and `invalid_parameter` for the address that they have.
 */
export async function startEmailChange(
  context: Context,
  caller: Caller,
  input: EmailChange,
): Promise<EmailChangeStarted> {
  const { config, database, limiter } = context;
  const { actor, ip, requestId } = caller;
  if (!config.smtp)
    throw new ApiError(
      "mail_not_configured",
      "This installation sends no e-mail, so an address cannot be confirmed. Ask the operator.",
    );
  const email = newEmail(input.email);
  const user = await personOf(context, actor);
  if (user.email === email)
    throw new ApiError("invalid_parameter", "This is your address already.", { param: "email" });
  await assertProof(context, caller, input.proof, { freshIsEnough: false });
  const taken = await limiter.take(actor.id, starts);
  if (!taken.allowed) throw tooManyRequests("Too many changes of the address. Try again later.", taken);
  const id = newId("emailChange");
  const { token, tokenHash } = newLinkToken(id);
  const expiresAt = new Date(clock.now() + lifetimeMs);
  await database.transaction(async (queries) => {
    await expireEmailChanges(queries, user.id);
    await queries.insert(emailChanges).values({ id, userId: user.id, email, tokenHash, expiresAt });
    await recordAuditOfPerson(queries, user.id, {
      actor,
      action: "email.change_requested",
      targetId: user.id,
      detail: { email },
      ip,
      requestId,
    });
    await queueMail(queries, config, {
      kind: "email_change",
      address: email,
      userId: user.id,
      data: { from: user.email, expires_at: expiresAt.toISOString() },
      link: `${config.consoleUrl}/email#${token}`,
    });
  });
  return { object: "email_change", email, expires_at: expiresAt.toISOString() };
}

/** A new address, or a new link, makes earlier links useless. */
export async function expireEmailChanges(queries: Queries, userId: string): Promise<void> {
  await queries
    .update(emailChanges)
    .set({ expiresAt: clock.date() })
    .where(and(eq(emailChanges.userId, userId), isNull(emailChanges.usedAt)));
}
