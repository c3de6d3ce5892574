import {
  type EmailChange,
  type EmailChanged,
  type EmailChangePreview,
  type EmailChangeStarted,
  emailRoutes,
} from "#contract/accounts/credentials.ts";
import { newId } from "#contract/ids.ts";
import type { AccessContext } from "#gateway/access/context.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, isNull } from "#gateway/platform/database/drizzle.ts";
import { rowSweep } from "#gateway/platform/database/row-sweep.ts";
import { emailChanges, users } from "#gateway/platform/database/schema.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { tooManyRequests } from "#gateway/platform/http/limits.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import type { Limit } from "#gateway/platform/limits/limiter.ts";
import { queueMail } from "#gateway/platform/outbox/outbox.ts";
import { newEmail } from "./account.ts";
import { recordAuditOfPerson, recordOwnAudit } from "./audit.ts";
import { countLinkTry, idInToken, isTokenOf, newLinkToken } from "./link-token.ts";
import { expireResets } from "./passwords/passwords.ts";
import { assertProof, personOf } from "./second-factor/proof.ts";
import { type Origin, originOf } from "./sessions/open.ts";

/** How people change their own address. */
export function installEmailChange(app: App, context: AccessContext): void {
  serve(app, context, emailRoutes, {
    "POST /account/email": (request) => startEmailChange(context, request.caller, request.body),
    "POST /account/email/lookup": (request) =>
      previewEmailChange(context, request.body.token, request.clientAddress),
    "POST /account/email/confirm": (request) =>
      confirmEmailChange(context, request.body.token, originOf(request)),
  });
}

const lifetimeMs = 24 * 3_600_000;

const starts: Limit = { name: "e-mail changes", count: 5, periodMs: 3_600_000 };

/**
 * Starts to change the caller's e-mail address: a link is sent to the new address, and nothing changes until
 * it is opened. An earlier link becomes invalid. Whether somebody else has the address is revealed only
 * through the link. Throws `mail_not_configured`, `rate_limit_exceeded`, `invalid_parameter` for the current
 * address, and as `newEmail` and `assertProof`.
 */
async function startEmailChange(
  context: AccessContext,
  caller: Caller,
  input: EmailChange,
): Promise<EmailChangeStarted> {
  const { config, database, limiter } = context;
  const { actor } = caller;
  if (!config.smtp)
    throw new ApiError(
      "mail_not_configured",
      "This installation sends no e-mail, so an address cannot be confirmed. Ask the operator.",
    );
  const email = newEmail(input.email);
  const user = await personOf(context, actor);
  if (user.email === email) throw invalidParameter("email", "This is already your address.");
  await assertProof(context, caller, input.proof, { freshIsEnough: false });
  const taken = await limiter.take(actor.id, starts);
  if (!taken.allowed) throw tooManyRequests("Too many changes of the address. Try again later.", taken);
  const id = newId("emailChange");
  const { token, tokenHash } = newLinkToken(id);
  const expiresAt = new Date(clock.now() + lifetimeMs);
  await database.transaction(async (queries) => {
    await expireEmailChanges(queries, user.id);
    await queries.insert(emailChanges).values({ id, userId: user.id, email, tokenHash, expiresAt });
    await recordOwnAudit(queries, caller, {
      action: "email.change_requested",
      targetId: user.id,
      detail: { email },
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

/** A new address or a new link makes earlier links invalid. */
async function expireEmailChanges(queries: Queries, userId: string): Promise<void> {
  await queries
    .update(emailChanges)
    .set({ expiresAt: clock.date() })
    .where(and(eq(emailChanges.userId, userId), isNull(emailChanges.usedAt)));
}

/** What is shown to somebody who has the link. Throws `email_change_not_found`. */
async function previewEmailChange(
  { database, limiter }: AccessContext,
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
 * Finds the e-mail change by the token in its link, with the user who requested it. Throws
 * `email_change_not_found`.
 */
async function findEmailChange(queries: Queries, token: string, locked = false) {
  const query = queries
    .select({ change: emailChanges, user: users })
    .from(emailChanges)
    .innerJoin(users, eq(users.id, emailChanges.userId))
    .where(eq(emailChanges.id, idInToken("emailChange", token) ?? ""));
  const [found] = await (locked ? query.for("update") : query);
  if (!found || !isTokenOf(token, found.change.tokenHash))
    throw new ApiError(
      "email_change_not_found",
      "This link is not valid. Copy the whole link, or start again.",
    );
  return found;
}

function stateOf({
  usedAt,
  expiresAt,
}: Pick<typeof emailChanges.$inferSelect, "usedAt" | "expiresAt">): EmailChangePreview["state"] {
  if (usedAt) return "used";
  return expiresAt.getTime() <= clock.now() ? "expired" : "open";
}

/**
 * Gives a person the address whose link they opened, and notifies the previous address. Password links sent
 * there become invalid. Throws `email_change_not_found`, `email_change_used`, `email_change_expired` and
 * `email_taken`.
 */
async function confirmEmailChange(
  { config, database, limiter, credentials }: AccessContext,
  token: string,
  { ip, requestId }: Origin,
): Promise<EmailChanged> {
  await countLinkTry(limiter, ip);
  const { userId, email } = await database.transaction(async (queries) => {
    const { change, user } = await findEmailChange(queries, token, true);
    const state = stateOf(change);
    if (state === "used") throw new ApiError("email_change_used", "This link was already used.");
    if (state === "expired")
      throw new ApiError(
        "email_change_expired",
        "This link has expired, or a newer one was made. Start again.",
      );
    const [other] = await queries.select({ id: users.id }).from(users).where(eq(users.email, change.email));
    if (other)
      throw new ApiError(
        "email_taken",
        "Somebody already signs in with this e-mail address. Use another one.",
      );
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

/** Used links are kept this long, so that opening one explains what happened. */
const keptAfterSeconds = 30 * 86_400;

export const emailChangeSweep = rowSweep({
  kind: "email_changes",
  table: "email_changes",
  dueAt: "expires_at",
  afterSeconds: keptAfterSeconds,
});
