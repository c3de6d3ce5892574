import { newId } from "#contract/ids.ts";
import { type Cause, noticeCauses as knownCauses, rulesOf } from "#contract/notice-constants.ts";
import { noticeEventTypes } from "#contract/webhook-constants.ts";
import type { EventsContext } from "#gateway/events/context.ts";
import { emitEvent } from "#gateway/events/webhooks/events.ts";
import { notifyOfEvents } from "#gateway/events/webhooks/news.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, asc, eq, gte, inArray, isNull, type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import { isDatabaseUnavailable } from "#gateway/platform/database/failed-query.ts";
import {
  members,
  noticeCauses,
  noticeHooks,
  noticeMessages,
  noticePreferences,
  notices,
  users,
  webhookEndpoints,
} from "#gateway/platform/database/schema.ts";
import type { MessageItem } from "#gateway/platform/database/tables/notices.ts";
import { isOf } from "./hooks/hooks.ts";

type CauseRow = typeof noticeCauses.$inferSelect;

/**
 * Only one process handles causes at a time, so that each cause sees the messages that earlier causes wrote.
 */
const spreadLock = 7_274_115;
/** A cause that failed this often is skipped, so that it does not block the others. */
const maxFailures = 5;

interface Recipient {
  userId: string;
  console: boolean;
  email: boolean;
  isPersonal: boolean;
}

/**
 * Determines the recipients of the oldest open cause and writes, in one transaction, a line for each person
 * in the console and the messages to send. `waitFactor` shortens the gathering in tests. Returns false if
 * there is no cause, or another process is spreading.
 */
export async function spreadNext(context: EventsContext, waitFactor: number): Promise<boolean> {
  // This check costs a quarter of a transaction, and most of the time there is no open cause.
  const [open] = await context.database.queries
    .select({ id: noticeCauses.id })
    .from(noticeCauses)
    .where(isNull(noticeCauses.spreadAt))
    .limit(1);
  if (!open) return false;
  const done = await spreadOldest(context, waitFactor);
  if (done?.eventOf) notifyOfEvents(context, [done.eventOf]);
  return done !== null;
}

/** Null: there is no cause, or it cannot be spread now. */
async function spreadOldest(
  context: EventsContext,
  waitFactor: number,
): Promise<{ eventOf: string | null } | null> {
  return context.database.transaction(async (queries) => {
    const { rows } = await queries.execute<{ locked: boolean }>(
      sql`select pg_try_advisory_xact_lock(${spreadLock}) as locked`,
    );
    if (!rows[0]?.locked) return null;
    const [cause] = await queries
      .select()
      .from(noticeCauses)
      // Others are of a later release that runs beside this one.
      .where(and(isNull(noticeCauses.spreadAt), inArray(noticeCauses.cause, knownCauses)))
      .orderBy(asc(noticeCauses.failures), asc(noticeCauses.id))
      .limit(1);
    if (!cause) return null;
    const done = await queries
      .transaction(async (nested) => {
        await spread(nested, context, waitFactor, cause);
        return { eventOf: await emitAsEvent(nested, context, cause) };
      })
      .catch((error: unknown) => {
        if (isDatabaseUnavailable(error)) throw error;
        return { error };
      });
    const hasFailed = "error" in done;
    if (hasFailed) context.log.error({ err: done.error, cause: cause.id }, "notices: a cause has no text");
    const failures = cause.failures + (hasFailed ? 1 : 0);
    const isOver = !hasFailed || failures >= maxFailures;
    await queries
      .update(noticeCauses)
      // The database's own time, as in `claim`: each cause comes before or after the end of a message.
      .set({ failures, ...(isOver && { spreadAt: sql`clock_timestamp()` }) })
      .where(eq(noticeCauses.id, cause.id));
    return hasFailed ? null : done;
  });
}

/**
 * Writes the event of a cause, unless the cause comes from an event. Returns the account that has the event.
 */
async function emitAsEvent(
  queries: Queries,
  { config }: EventsContext,
  row: CauseRow,
): Promise<string | null> {
  const { id, accountId, userId, subjectId, data } = row;
  const type = noticeEventTypes.find((name) => name === row.cause);
  if (type === undefined || accountId === null) return null;
  await emitEvent(queries, {
    accountId,
    type,
    subject: { noticeOf: id },
    object: {
      object: type,
      ...(subjectId !== null && { id: subjectId }),
      ...(rulesOf(type).person && { user_id: userId }),
      ...data,
    },
    once: id,
    retentionUntil: new Date(clock.now() + config.retentionMs),
  });
  return accountId;
}

async function spread(
  queries: Queries,
  { config }: EventsContext,
  waitFactor: number,
  row: CauseRow,
): Promise<void> {
  const cause = await withDescription(queries, row);
  const recipients = await recipientsOf(queries, cause);
  const lines = await writeLines(queries, cause, recipients);
  const item = itemOf(cause);
  const targets: Target[] = [];
  if (config.smtp)
    for (const { userId } of recipients.filter(({ email }) => email))
      targets.push({ recipient: userId, userId, item: { ...item, noticeId: lines.get(userId) ?? null } });
  for (const { id } of await hooksOf(queries, cause)) targets.push({ recipient: id, hookId: id, item });
  await addToMessages(queries, waitFactor, cause, targets);
}

/** Adds the endpoint's description, because people recognise the endpoint by it. */
async function withDescription(queries: Queries, row: CauseRow): Promise<CauseRow> {
  const isOfEndpoint = row.cause.startsWith("endpoint.") || row.cause === "delivery.exhausted";
  if (!isOfEndpoint || row.subjectId === null) return row;
  const [endpoint] = await queries
    .select({ description: webhookEndpoints.description })
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.id, row.subjectId));
  return endpoint?.description ? { ...row, data: { ...row.data, description: endpoint.description } } : row;
}

function itemOf(cause: CauseRow): MessageItem {
  const { cause: name, subjectId, data } = cause;
  return { noticeId: null, cause: name, subjectId, groupKey: groupKeyOf(cause), data, count: 1 };
}

/**
 * Notices with the same key are counted in one line: those of a cause, or of a cause and its subject, in one
 * account.
 */
function groupKeyOf({ accountId, cause, subjectId }: CauseRow): string {
  const subject = rulesOf(cause).group === "subject" ? (subjectId ?? "") : "";
  return [accountId ?? "", cause, subject].join(" ");
}

async function recipientsOf(queries: Queries, row: CauseRow): Promise<Recipient[]> {
  const { cause, accountId, userId } = row;
  const rules = rulesOf(cause);
  const people = (where: SQL | undefined) =>
    queries
      .select({ userId: users.id, choices: noticePreferences.choices })
      .from(users)
      .leftJoin(noticePreferences, eq(noticePreferences.userId, users.id))
      .where(where);
  const isMember = (roles: readonly string[] | null) =>
    sql`exists (select from ${members} where ${members.userId} = ${users.id} and ${members.accountId} = ${accountId}
      ${roles === null ? sql`` : sql`and ${members.role} = any (${sql.param([...roles])}::text[])`})`;
  const isThem = userId !== null && rules.person ? eq(users.id, userId) : undefined;
  const isOnlyThem = isThem && rules.person === "only";
  const found = await people(
    rules.roles === null
      ? eq(users.isOperator, true)
      : isOnlyThem
        ? and(isThem, accountId === null ? undefined : isMember(null))
        : accountId === null
          ? sql`false`
          : isThem
            ? sql`(${isMember(rules.roles)} or ${isThem} and ${isMember(null)})`
            : isMember(rules.roles),
  );
  return found
    .map(({ userId: id, choices }) => ({
      userId: id,
      ...(choices?.[cause] ?? { console: rules.console, email: rules.email }),
      isPersonal: isThem !== undefined && id === userId,
    }))
    .filter(({ console, email }) => console || email);
}

/**
 * Writes or updates a console line for each recipient, and one for the account, which the account's service
 * keys read. Returns the lines' ids by recipient.
 */
async function writeLines(
  queries: Queries,
  row: CauseRow,
  recipients: readonly Recipient[],
): Promise<Map<string, string>> {
  const { cause, accountId, subjectId, data } = row;
  const line = { accountId, cause, subjectId, data, groupKey: groupKeyOf(row) };
  const lines: (typeof notices.$inferInsert)[] = recipients.map(({ userId, console, isPersonal }) => ({
    ...line,
    id: newId("notice"),
    recipient: userId,
    userId,
    isPersonal,
    isHidden: !console,
  }));
  // The release before lists all lines of the account for its service keys, and does not know this cause.
  if (accountId !== null && cause !== "callbacks.requeued")
    lines.push({ ...line, id: newId("notice"), recipient: accountId });
  const ids = new Map<string, string>();
  for (let at = 0; at < lines.length; at += rowsAtOnce) {
    const written = await queries
      .insert(notices)
      .values(lines.slice(at, at + rowsAtOnce))
      .onConflictDoUpdate({
        target: [notices.recipient, notices.groupKey],
        targetWhere: isNull(notices.readAt),
        set: {
          count: sql`${notices.count} + 1`,
          data: sql`excluded.data`,
          subjectId: sql`excluded.subject_id`,
          isPersonal: sql`excluded.is_personal`,
          isHidden: sql`${notices.isHidden} and excluded.is_hidden`,
          lastAt: sql`now()`,
        },
      })
      .returning({ id: notices.id, recipient: notices.recipient });
    for (const { id, recipient } of written) ids.set(recipient, id);
  }
  return ids;
}

async function hooksOf(queries: Queries, { accountId, cause }: CauseRow): Promise<{ id: string }[]> {
  // A cause without an account that is about a person notifies only that person, no hook.
  if (accountId === null && rulesOf(cause).roles !== null) return [];
  return queries
    .select({ id: noticeHooks.id })
    .from(noticeHooks)
    .where(and(isOf(accountId), sql`${noticeHooks.causes} @> array[${cause}]::text[]`));
}

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
const itemsPerMessage = 50;

/** Rows that one statement writes. */
const rowsAtOnce = 500;

/** The recipient of a notice. */
interface Target {
  /** The id of a user or hook. Each recipient gets at most one message per cause in an hour. */
  recipient: string;
  userId?: string;
  hookId?: string;
  item: MessageItem;
}

type MessageRow = typeof noticeMessages.$inferSelect;

/**
 * The first message about a cause in an hour is sent after some seconds, with all notices of this cause until
 * then. Later notices of the hour are gathered, together with those of other causes, into a digest that is
 * sent when the hour ends.
 */
async function addToMessages(
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
