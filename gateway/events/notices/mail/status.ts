import type { MailStatus } from "#contract/notices.ts";
import type { BaseContext } from "#gateway/context.ts";
import { and, desc, inArray, isNotNull, isNull, sql } from "#gateway/platform/database/drizzle.ts";
import { noticeMessages } from "#gateway/platform/database/schema.ts";

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
