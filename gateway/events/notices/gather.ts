import { newId } from "#contract/ids.ts";
import type { Cause } from "#contract/notice-constants.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, gte, sql } from "#gateway/platform/database/drizzle.ts";
import { noticeCauses, noticeMessages } from "#gateway/platform/database/schema.ts";
import type { MessageItem } from "#gateway/platform/database/tables/notices.ts";

/**
 * After a message about a cause, further notices of the same cause wait this long and are sent together as a
 * digest.
 */
const quietMs = 3_600_000;
/**
 * The first message about a cause waits this long after each notice that it includes, so that failures at the
 * same time are reported together.
 */
const firstWaitMs = 10_000;
export const maxFirstWaitMs = 60_000;
/** Lines of one digest; further notices are only counted. */
export const itemsPerMessage = 50;
/** Rows that one statement writes. */
export const rowsAtOnce = 500;

/** The recipient of a notice. */
export interface Target {
  /** The id of a user or hook. Each recipient gets at most one message per cause in an hour. */
  recipient: string;
  userId?: string;
  hookId?: string;
  item: MessageItem;
}

/**
 * The first message about a cause in an hour is sent after some seconds, with all notices of this cause until
 * then. Later notices of the hour are gathered, together with those of other causes, into a digest that is
 * sent when the hour ends.
 */
export async function addToMessages(
  queries: Queries,
  waitFactor: number,
  { accountId, cause }: { accountId: string | null; cause: Cause },
  targets: readonly Target[],
): Promise<void> {
  if (targets.length === 0) return;
  const quiet = await quietUntil(queries, accountId, cause, targets);
  const gathering = await gatheringOf(queries, accountId, targets);
  const rows: (typeof noticeMessages.$inferInsert)[] = [];
  for (const target of targets) {
    const isOver =
      cause === "endpoint.recovered" &&
      (await isFailingIn(queries, gathering.get(target.recipient), target.item));
    if (isOver) continue;
    const until = quiet.get(target.recipient);
    // A cause that was reported within the hour waits for the digest, so it does not join another cause's
    // first message, which is sent earlier.
    const open =
      until && gathering.get(target.recipient)?.find((row) => !isFirst(row) || row.causes.includes(cause));
    if (open) {
      await addToMessage(queries, open, target.item, waitFactor);
      continue;
    }
    const dueAt = until ?? new Date(clock.now() + firstWaitMs * waitFactor);
    rows.push({
      id: newId("noticeMessage"),
      kind: "notices",
      accountId,
      userId: target.userId ?? null,
      hookId: target.hookId ?? null,
      recipient: target.recipient,
      causes: [cause],
      items: [target.item],
      status: "gathering",
      dueAt,
      nextAttemptAt: dueAt,
    });
  }
  for (let at = 0; at < rows.length; at += rowsAtOnce)
    await queries.insert(noticeMessages).values(rows.slice(at, at + rowsAtOnce));
}

type MessageRow = typeof noticeMessages.$inferSelect;

/**
 * Whether an unsent message lists or counts this endpoint as failing; endpoints that have recovered are left
 * out when it is sent.
 */
async function isFailingIn(
  queries: Queries,
  messages: readonly MessageRow[] = [],
  { subjectId }: MessageItem,
): Promise<boolean> {
  const isListed = messages.some(({ items }) =>
    items.some((item) => item.cause === "endpoint.failing" && item.subjectId === subjectId),
  );
  const counting = messages.filter(({ more }) => more > 0);
  if (isListed || counting.length === 0) return isListed;
  const since = new Date(Math.min(...counting.map(({ createdAt }) => createdAt.getTime())));
  const failures = await queries.$count(
    noticeCauses,
    and(
      eq(noticeCauses.cause, "endpoint.failing"),
      eq(noticeCauses.subjectId, subjectId ?? ""),
      gte(noticeCauses.spreadAt, since),
    ),
  );
  return failures > 0;
}

/**
 * Recipients that have a message about this cause, sent in the last hour or about to be sent, with the time
 * until which further notices go into a digest.
 */
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

/**
 * The messages being gathered for these recipients, the soonest first. Locked, because a worker closes one
 * before it sends it.
 */
async function gatheringOf(
  queries: Queries,
  accountId: string | null,
  targets: readonly Target[],
): Promise<Map<string, MessageRow[]>> {
  const rows = await queries
    .select()
    .from(noticeMessages)
    .where(
      sql`${noticeMessages.recipient} = any (${sql.param(targets.map(({ recipient }) => recipient))}::text[])
        and ${noticeMessages.accountId} is not distinct from ${accountId}
        and ${noticeMessages.status} = 'gathering'`,
    )
    .orderBy(noticeMessages.dueAt)
    .for("update");
  return Map.groupBy(rows, ({ recipient }) => recipient);
}

function isFirst({ createdAt, dueAt }: MessageRow): boolean {
  return dueAt.getTime() - createdAt.getTime() <= maxFirstWaitMs;
}

async function addToMessage(
  queries: Queries,
  message: MessageRow,
  item: MessageItem,
  waitFactor: number,
): Promise<void> {
  const same = message.items.find(({ groupKey }) => groupKey === item.groupKey);
  if (same) Object.assign(same, { ...item, count: same.count + 1 });
  else if (message.items.length < itemsPerMessage) message.items.push(item);
  else message.more += 1;
  const later = sql`least(${noticeMessages.createdAt} + make_interval(secs => ${maxFirstWaitMs / 1000}),
    now() + make_interval(secs => ${(firstWaitMs * waitFactor) / 1000}))`;
  await queries
    .update(noticeMessages)
    .set({
      items: message.items,
      more: message.more,
      causes: [...new Set([...message.causes, item.cause])],
      ...(isFirst(message) && { dueAt: later, nextAttemptAt: later }),
    })
    .where(eq(noticeMessages.id, message.id));
}
