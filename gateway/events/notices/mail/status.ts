import { newId } from "#contract/ids.ts";
import type { MailStatus, MailTest, TestResult } from "#contract/notices.ts";
import { newEmail } from "#gateway/access/accounts/create-account.ts";
import type { BaseContext } from "#gateway/context.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, desc, eq, inArray, isNotNull, isNull, sql } from "#gateway/platform/database/drizzle.ts";
import { noticeMessages, users } from "#gateway/platform/database/schema.ts";
import { tooManyRequests } from "#gateway/platform/http/limits.ts";
import type { Limit } from "#gateway/platform/limits/limiter.ts";
import { pageUrls, writeLetter } from "./compose.ts";
import { MailError, openMailTransport } from "./transport.ts";

const listed = 20;

/** Whether e-mail is set up and works, and which messages could not be sent. */
export async function mailStatus({ config, database }: BaseContext): Promise<MailStatus> {
  const { smtp } = config;
  const { rows } = await database.queries.execute<{
    waiting: number;
    sent: number;
    failed: number;
    last: Date | string | null;
  }>(sql`
    select count(*) filter (where status in ('pending', 'gathering'))::int as waiting,
      count(*) filter (where status = 'sent' and created_at > now() - interval '24 hours')::int as sent,
      count(*) filter (where status = 'failed' and created_at > now() - interval '24 hours')::int as failed,
      max(sent_at) as last
    from notice_messages where hook_id is null`);
  const [sums] = rows;
  const unsent = await database.queries
    .select()
    .from(noticeMessages)
    .where(
      and(
        isNull(noticeMessages.hookId),
        inArray(noticeMessages.status, ["pending", "failed"]),
        isNotNull(noticeMessages.error),
      ),
    )
    .orderBy(desc(noticeMessages.id))
    .limit(listed);
  return {
    object: "mail_status",
    configured: smtp !== null,
    server: smtp && `${smtp.host}:${smtp.port}`,
    security: smtp?.security ?? null,
    from: smtp?.from ?? null,
    waiting: sums?.waiting ?? 0,
    sent_24h: sums?.sent ?? 0,
    failed_24h: sums?.failed ?? 0,
    last_sent_at: sums?.last ? new Date(sums.last).toISOString() : null,
    unsent: unsent.map(({ id, kind, address, recipient, attempts, error, createdAt }) => ({
      id,
      kind,
      address: address ?? recipient,
      attempts,
      error,
      created_at: createdAt.toISOString(),
    })),
  };
}

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
      { param: "to" },
    );
  return user.email;
}
