import { newId } from "#contract/ids.ts";
import type { Cause } from "#contract/notice-constants.ts";
import type { Queries } from "#gateway/database/database.ts";
import { eq, sql } from "#gateway/database/drizzle.ts";
import { noticeMessages } from "#gateway/database/schema.ts";
import type { MessageItem } from "#gateway/database/tables/notices.ts";

/** After a message of a cause, further ones wait so long for a digest. */
const quietMs = 3_600_000;
/** Lines of one digest; what is beyond is counted. */
export const itemsPerMessage = 50;
/** Rows that one statement writes. */
const rowsAtOnce = 500;

/** To whom a notice is sent. */
export interface Target {
  /** The user or hook: whose messages of a cause are one in an hour. */
  recipient: string;
  userId?: string;
  hookId?: string;
  item: MessageItem;
}

/**
 * The first message of a cause in an hour goes at once. Those after it are gathered, with other causes' of the same hour, into a
 * digest that goes at the end of it.
 */
export async function addToMessages(
  queries: Queries,
  { accountId, cause }: { accountId: string | null; cause: Cause },
  targets: readonly Target[],
): Promise<void> {
  if (targets.length === 0) return;
  const quiet = await quietUntil(queries, accountId, cause, targets);
  const digests = await digestsOf(queries, accountId, targets);
  const rows: (typeof noticeMessages.$inferInsert)[] = [];
  for (const target of targets) {
    const until = quiet.get(target.recipient);
    const digest = until && digests.get(target.recipient);
    if (digest) {
      await addToDigest(queries, digest, target.item);
      continue;
    }
    rows.push({
      id: newId("noticeMessage"),
      kind: "notices",
      accountId,
      userId: target.userId ?? null,
      hookId: target.hookId ?? null,
      recipient: target.recipient,
      causes: [cause],
      items: [target.item],
      status: until ? "gathering" : "pending",
      ...(until && { dueAt: until, nextAttemptAt: until }),
    });
  }
  for (let at = 0; at < rows.length; at += rowsAtOnce)
    await queries.insert(noticeMessages).values(rows.slice(at, at + rowsAtOnce));
}

type MessageRow = typeof noticeMessages.$inferSelect;

/** Until when the recipients that heard of this cause in the last hour, or soon do, hear of it in a digest only. */
async function quietUntil(
  queries: Queries,
  accountId: string | null,
  cause: string,
  targets: readonly Target[],
): Promise<Map<string, Date>> {
  const { rows } = await queries.execute<{ recipient: string; until: Date | string }>(sql`
    select recipient, max(due_at) + make_interval(secs => ${quietMs / 1000}) as until from notice_messages
    where recipient = any (${sql.param(targets.map(({ recipient }) => recipient))}::text[])
      and account_id is not distinct from ${accountId} and causes @> array[${cause}]::text[]
      and due_at > now() - make_interval(secs => ${quietMs / 1000})
    group by recipient`);
  return new Map(rows.map(({ recipient, until }) => [recipient, new Date(until)]));
}

/** The digests that are gathered for these recipients, locked: a worker that sends one meanwhile closes it first. */
async function digestsOf(
  queries: Queries,
  accountId: string | null,
  targets: readonly Target[],
): Promise<Map<string, MessageRow>> {
  const rows = await queries
    .select()
    .from(noticeMessages)
    .where(
      sql`${noticeMessages.recipient} = any (${sql.param(targets.map(({ recipient }) => recipient))}::text[])
        and ${noticeMessages.accountId} is not distinct from ${accountId}
        and ${noticeMessages.dueAt} > now() and ${noticeMessages.status} = 'gathering'`,
    )
    .for("update");
  return new Map(rows.map((row) => [row.recipient, row]));
}

async function addToDigest(queries: Queries, digest: MessageRow, item: MessageItem): Promise<void> {
  const same = digest.items.find(({ groupKey }) => groupKey === item.groupKey);
  if (same) Object.assign(same, { ...item, count: same.count + 1 });
  else if (digest.items.length < itemsPerMessage) digest.items.push(item);
  else digest.more += 1;
  await queries
    .update(noticeMessages)
    .set({
      items: digest.items,
      more: digest.more,
      causes: [...new Set([...digest.causes, item.cause])],
    })
    .where(eq(noticeMessages.id, digest.id));
}
