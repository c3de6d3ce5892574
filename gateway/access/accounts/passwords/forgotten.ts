import { readEmail } from "#contract/accounts/email-address.ts";
import type { PasswordForgotten, PasswordForgottenTaken } from "#contract/accounts/passwords.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { tooManyRequests } from "#gateway/platform/http/limits.ts";
import type { Limit } from "#gateway/platform/limits/limiter.ts";
import { addressBlock } from "#gateway/platform/network/address-block.ts";
import { queueMail } from "#gateway/platform/outbox/queue-mail.ts";

/** Of one visitor, and to one mailbox from all visitors together. */
const limits = {
  visitor: { name: "forgotten passwords", count: 10, periodMs: 3_600_000 },
  mailbox: { name: "reset e-mails", count: 3, periodMs: 3_600_000 },
} satisfies Record<string, Limit>;

/**
 * Has a link sent to an address, if somebody signs in with it. Nothing tells whether: what is answered, and what is done before, is
 * the same for every address; a worker looks for its user (`notices/send/send-message.ts`). Too many for one mailbox are
 * dropped without a word, since a refusal would tell that somebody else asked. Throws `mail_not_configured` and `rate_limit_exceeded`.
 */
export async function forgetPassword(
  { config, database, limiter }: Context,
  { email }: PasswordForgotten,
  ip: string | null,
): Promise<PasswordForgottenTaken> {
  if (!config.smtp)
    throw new ApiError(
      "mail_not_configured",
      "This installation sends no e-mail. Ask an owner or admin of your account for a link.",
    );
  const asked = await limiter.take(addressBlock(ip ?? ""), limits.visitor);
  if (!asked.allowed) throw tooManyRequests("Too many links were asked for. Try again later.", asked);
  const read = readEmail(email);
  // As it is stored, also that of somebody whose address would be refused today.
  const address = "address" in read ? read.address : email.trim().toLowerCase();
  if ((await limiter.take(address, limits.mailbox)).allowed)
    await queueMail(database.queries, config, { kind: "reset_request", address });
  return { object: "password_forgotten" };
}
