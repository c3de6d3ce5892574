import {
  type PasswordChange,
  type PasswordChanged,
  type PasswordForgotten,
  type PasswordForgottenTaken,
  type PasswordReset,
  type PasswordResetAccept,
  type PasswordResetDone,
  type PasswordResetPreview,
  passwordRoutes,
  type ResetState,
} from "#contract/accounts/credentials.ts";
import { readEmail } from "#contract/accounts/email-address.ts";
import { newId } from "#contract/ids.ts";
import type { AccessContext } from "#gateway/access/context.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, isNull } from "#gateway/platform/database/drizzle.ts";
import { rowSweep } from "#gateway/platform/database/row-sweep.ts";
import { passwordResets, users } from "#gateway/platform/database/schema.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { tooManyRequests } from "#gateway/platform/http/limits.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import type { Limit } from "#gateway/platform/limits/limiter.ts";
import { addressBlock } from "#gateway/platform/network/address-rules.ts";
import { queueMail } from "#gateway/platform/outbox/outbox.ts";
import { type AuditedActor, recordAuditOfPerson, recordOwnAudit } from "../audit.ts";
import { countLinkTry, idInToken, isTokenOf, newLinkToken } from "../link-token.ts";
import { assertReaches, hasOtherAccounts, lockTeam, memberOf } from "../members/team.ts";
import { type Origin, originOf } from "../sessions/open.ts";
import { endSessionsOf } from "../sessions/sessions.ts";
import { proveOwnPassword } from "../sessions/sign-in.ts";
import { assertGoodPassword, queuedHash } from "./password.ts";

const resetMs = 24 * 3_600_000;

/** Used links are kept this long, so that opening one explains what happened. */
const keptAfterSeconds = 90 * 86_400;

type ResetRow = typeof passwordResets.$inferSelect;

export const passwordResetSweep = rowSweep({
  kind: "password_resets",
  table: "password_resets",
  dueAt: "expires_at",
  afterSeconds: keptAfterSeconds,
});

export function installPasswords(app: App, context: AccessContext): void {
  serve(app, context, passwordRoutes, {
    "POST /account/password": (request) => changePassword(context, request.caller, request.body),
    "POST /account/password/forgotten": (request) =>
      forgetPassword(context, request.body, request.clientAddress),
    "POST /account/password/reset/lookup": (request) =>
      previewReset(context, request.body.token, request.clientAddress),
    "POST /account/password/reset": (request) => acceptReset(context, request.body, originOf(request)),
  });
}

/** What is shown to somebody who has the link. Throws `reset_not_found`. */
async function previewReset(
  { database, limiter }: AccessContext,
  token: string,
  ip: string | null,
): Promise<PasswordResetPreview> {
  await countLinkTry(limiter, ip);
  const { reset, user } = await findReset(database.queries, token);
  return {
    object: "password_reset_preview",
    email: user.email,
    name: user.name,
    state: stateOf(reset),
    expires_at: reset.expiresAt.toISOString(),
  };
}

async function findReset(queries: Queries, token: string, locked = false) {
  const id = idInToken("passwordReset", token);
  const query = queries
    .select({ reset: passwordResets, user: users })
    .from(passwordResets)
    .innerJoin(users, eq(users.id, passwordResets.userId))
    .where(eq(passwordResets.id, id ?? ""));
  const [found] = await (locked ? query.for("update", { of: passwordResets }) : query);
  if (!found || !isTokenOf(token, found.reset.tokenHash))
    throw new ApiError(
      "reset_not_found",
      "This link is not valid. Copy the whole link, or ask for a new one.",
    );
  return found;
}

function stateOf({ usedAt, expiresAt }: ResetRow): ResetState {
  if (usedAt) return "used";
  return expiresAt.getTime() <= clock.now() ? "expired" : "open";
}

/**
 * Sets a new password and ends all sessions of the person; second factors stay. Throws `reset_not_found`,
 * `reset_used`, `reset_expired`, and as `assertGoodPassword`.
 */
async function acceptReset(
  context: AccessContext,
  { token, password }: PasswordResetAccept,
  { ip, requestId }: Origin,
): Promise<PasswordResetDone> {
  const { database, limiter, credentials } = context;
  await countLinkTry(limiter, ip);
  const found = await findReset(database.queries, token);
  assertOpen(found.reset);
  const { id: userId, email, name } = found.user;
  await assertGoodPassword(password, found.user);
  const passwordHash = await queuedHash(password, ip);
  const ended = await database.transaction(async (queries) => {
    const { reset } = await findReset(queries, token, true);
    assertOpen(reset);
    await queries.update(users).set({ passwordHash }).where(eq(users.id, userId));
    await queries.update(passwordResets).set({ usedAt: clock.date() }).where(eq(passwordResets.id, reset.id));
    await expireResets(queries, userId);
    const count = await endSessionsOf(queries, userId);
    await recordAuditOfPerson(queries, userId, {
      actor: { kind: "user", id: userId, userId, name },
      action: "password.reset",
      targetId: userId,
      detail: { sessions_ended: count },
      ip,
      requestId,
    });
    return count;
  });
  credentials.forget(userId);
  return { object: "password", email, sessions_ended: ended };
}

/** A new password or a new link makes earlier links invalid. */
export async function expireResets(queries: Queries, userId: string): Promise<void> {
  await queries
    .update(passwordResets)
    .set({ expiresAt: clock.date() })
    .where(and(eq(passwordResets.userId, userId), isNull(passwordResets.usedAt)));
}

function assertOpen(reset: ResetRow): void {
  const state = stateOf(reset);
  if (state === "used")
    throw new ApiError(
      "reset_used",
      "This link was already used. Sign in with the new password, or ask for a new link.",
    );
  if (state === "expired")
    throw new ApiError(
      "reset_expired",
      "This link has expired, or a newer one was made. Ask for a new link.",
    );
}

/** Changes the caller's password and ends their other sessions. Throws as `proveOwnPassword` and `assertGoodPassword`. */
async function changePassword(
  context: AccessContext,
  caller: Caller,
  input: PasswordChange,
): Promise<PasswordChanged> {
  const { actor, ip } = caller;
  const [user] = await context.database.queries.select().from(users).where(eq(users.id, actor.id));
  if (!user) throw new ApiError("invalid_api_key", "This user no longer exists.");
  await assertGoodPassword(input.new, user, "new");
  await proveOwnPassword(context, { email: user.email, password: input.current }, ip, "current");
  const passwordHash = await queuedHash(input.new, ip);
  const ended = await context.database.transaction(async (queries) => {
    await queries.update(users).set({ passwordHash }).where(eq(users.id, user.id));
    await expireResets(queries, user.id);
    const count = await endSessionsOf(queries, user.id, actor.sessionId);
    const detail = { sessions_ended: count };
    await recordOwnAudit(queries, caller, { action: "password.changed", targetId: user.id, detail });
    return count;
  });
  context.credentials.forget(user.id);
  return { object: "password", sessions_ended: ended };
}

/** Limits per visitor, and per mailbox over all visitors. */
const limits = {
  visitor: { name: "forgotten passwords", count: 10, periodMs: 3_600_000 },
  mailbox: { name: "reset e-mails", count: 3, periodMs: 3_600_000 },
} satisfies Record<string, Limit>;

/**
 * Sends a password link to an address if somebody signs in with it. The answer, and the work before it, are
 * the same for every address, so nothing reveals that; a worker looks for the user
 * (`notices/send.ts`). Too many requests for one mailbox are dropped silently, because a refusal would
 * reveal that somebody else asked. Throws `mail_not_configured` and `rate_limit_exceeded`.
 */
async function forgetPassword(
  { config, database, limiter }: AccessContext,
  { email, language }: PasswordForgotten,
  ip: string | null,
): Promise<PasswordForgottenTaken> {
  if (!config.smtp)
    throw new ApiError(
      "mail_not_configured",
      "This installation sends no e-mail. Ask an owner or admin of your account for a link.",
    );
  const asked = await limiter.take(addressBlock(ip ?? ""), limits.visitor);
  if (!asked.allowed) throw tooManyRequests("Too many links were requested. Try again later.", asked);
  const read = readEmail(email);
  // Users are found by the stored form, also if today's rules would refuse their address.
  const address = "address" in read ? read.address : email.trim().toLowerCase();
  if ((await limiter.take(address, limits.mailbox)).allowed)
    await queueMail(database.queries, config, { kind: "reset_request", address, language: language ?? null });
  return { object: "password_forgotten" };
}

/**
 * Creates a link with which a member can set a new password once. Only for members at or below the caller's
 * role who belong to no other account. Throws `member_not_found`, `role_not_allowed`, `member_of_others`.
 */
export async function createReset(
  context: AccessContext,
  caller: Caller,
  userId: string,
): Promise<PasswordReset> {
  const { actor } = caller;
  return context.database.transaction(async (queries) => {
    const team = await lockTeam(queries, actor.accountId);
    const { role } = memberOf(team, userId);
    if (userId === actor.id) throw invalidParameter("user_id", "Change your own password in your profile.");
    await assertReaches(queries, team, actor, role);
    if (await hasOtherAccounts(queries, userId, actor.accountId))
      throw new ApiError(
        "member_of_others",
        "This member also belongs to other accounts. Ask an operator to create the link on the server: `gatehouse users reset --email …`.",
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

/**
 * Creates the link in the caller's transaction and makes earlier links invalid. `by` is null for the command
 * line.
 */
export async function writeReset(
  queries: Queries,
  { consoleUrl }: Pick<Config, "consoleUrl">,
  userId: string,
  by: { actor: AuditedActor; ip: string | null; requestId: string | null } | null,
): Promise<PasswordReset> {
  const id = newId("passwordReset");
  const { token, tokenHash } = newLinkToken(id);
  const expiresAt = new Date(clock.now() + resetMs);
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
