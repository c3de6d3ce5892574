import { newId } from "#contract/ids.ts";
import type { MailTest, TestResult } from "#contract/notices.ts";
import { newEmail } from "#gateway/access/accounts/new-email.ts";
import type { BaseContext } from "#gateway/context.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { users } from "#gateway/platform/database/schema.ts";
import { tooManyRequests } from "#gateway/platform/http/limits.ts";
import type { Limit } from "#gateway/platform/limits/limiter.ts";
import { pageUrls } from "../page-url.ts";
import { writeLetter } from "./compose.ts";
import { MailError, openMailTransport } from "./transport.ts";

const tests: Limit = { name: "mail tests", count: 10, periodMs: 60_000 };

/**
 * Sends an example at once, to the asking operator or the given address. Throws `mail_not_configured`,
 * `rate_limit_exceeded`, `missing_parameter` if a key gives no address, and as `newEmail`.
 */
export async function testMail(
  { config, database, limiter }: BaseContext,
  actor: Actor,
  { to }: MailTest,
): Promise<TestResult> {
  const { smtp } = config;
  if (!smtp)
    throw new ApiError(
      "mail_not_configured",
      "This installation sends no e-mail: set SMTP_HOST and SMTP_FROM.",
    );
  const address = to === undefined ? await ownAddress(database.queries, actor) : newEmail(to);
  const taken = await limiter.take(actor.id, tests);
  if (!taken.allowed) throw tooManyRequests("Too many tests. Wait a minute and try again.", taken);
  const transport = await openMailTransport(smtp);
  const letter = writeLetter({
    subject: "Test e-mail from Gatehouse",
    sections: [
      {
        title: "E-mail works",
        text: "An operator sent this to check the mail settings.",
        url: pageUrls(config)("/operator/mail", null),
      },
    ],
    footer: "You need not do anything.",
  });
  const error = await transport
    .send({ id: newId("noticeMessage"), to: address, ...letter })
    .then(() => null)
    .catch((caught: unknown) => {
      if (caught instanceof MailError) return caught.message;
      throw caught;
    })
    .finally(() => transport.close());
  return { object: "notice_test", sent: error === null, error };
}

async function ownAddress(queries: Queries, { id }: Actor): Promise<string> {
  const [user] = await queries.select({ email: users.email }).from(users).where(eq(users.id, id));
  if (!user)
    throw new ApiError(
      "missing_parameter",
      "A key has no e-mail address. Send the recipient's address as `to`.",
      {
        param: "to",
      },
    );
  return user.email;
}
