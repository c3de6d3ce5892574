import {
  type PasswordChange,
  type PasswordChanged,
  type PasswordForgotten,
  type PasswordForgottenTaken,
  passwordRoutes,
} from "#contract/accounts/credentials.ts";
import { readEmail } from "#contract/accounts/email-address.ts";
import type { BaseContext } from "#gateway/context.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { users } from "#gateway/platform/database/schema.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { tooManyRequests } from "#gateway/platform/http/limits.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import type { Limit } from "#gateway/platform/limits/limiter.ts";
import { addressBlock } from "#gateway/platform/network/address-rules.ts";
import { queueMail } from "#gateway/platform/outbox/outbox.ts";
import { recordOwnAudit } from "../audit.ts";
import { originOf } from "../sessions/open.ts";
import { endSessionsOf } from "../sessions/sessions.ts";
import { proveOwnPassword } from "../sessions/sign-in.ts";
import { assertGoodPassword, queuedHash } from "./password.ts";

import { acceptReset, expireResets, previewReset } from "./resets.ts";

export function installPasswords(app: App, context: BaseContext): void {
  serve(app, context, passwordRoutes, {
    "POST /account/password": (request) => changePassword(context, request.caller, request.body),
    "POST /account/password/forgotten": (request) =>
      forgetPassword(context, request.body, request.clientAddress),
    "POST /account/password/reset/lookup": (request) =>
      previewReset(context, request.body.token, request.clientAddress),
    "POST /account/password/reset": (request) => acceptReset(context, request.body, originOf(request)),
  });
}

/** Changes the caller's password and ends their other sessions. Throws as `proveOwnPassword` and `assertGoodPassword`. */
async function changePassword(
  context: BaseContext,
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
  { config, database, limiter }: BaseContext,
  { email }: PasswordForgotten,
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
    await queueMail(database.queries, config, { kind: "reset_request", address });
  return { object: "password_forgotten" };
}
