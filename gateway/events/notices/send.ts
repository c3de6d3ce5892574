import { writeReset } from "#gateway/access/accounts/passwords/passwords.ts";
import { accountName, languageOf } from "#gateway/access/accounts/people.ts";
import type { EventsContext } from "#gateway/events/context.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { mayTakeSlot } from "#gateway/platform/core/fair-queue.ts";
import { type InHand, instanceId, leaseMs, startLeasedLoop } from "#gateway/platform/core/leased-loop.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import {
  and,
  count,
  eq,
  gte,
  inArray,
  lte,
  notInArray,
  or,
  sql,
} from "#gateway/platform/database/drizzle.ts";
import { isDatabaseUnavailable } from "#gateway/platform/database/failed-query.ts";
import { fromNow } from "#gateway/platform/database/free-leases.ts";
import {
  members,
  noticeCauses,
  noticeHooks,
  noticeMessages,
  notices,
  users,
  webhookEndpoints,
} from "#gateway/platform/database/schema.ts";
import type { MessageItem } from "#gateway/platform/database/tables/notices.ts";
import { isListed } from "#gateway/platform/database/tables/webhooks.ts";
import { mailSealer } from "#gateway/platform/outbox/outbox.ts";
import { messageWords } from "./describe-notice.ts";
import { hookSealer, ownerOf, textsOf } from "./hooks/hooks.ts";
import { HookError, type HookPoster, openHookPoster } from "./hooks/post.ts";
import { hookBody } from "./hooks/templates.ts";
import { type Letter, linkLetter, noticeLetter, pageUrls, writeLetter } from "./mail/compose.ts";
import { MailError, type MailTransport, openMailTransport } from "./mail/transport.ts";
import { maxFirstWaitMs, spreadNext } from "./spread.ts";

/** Messages that one process sends at once. */
const slots = 8;
const pollMs = 1_000;

type MessageRow = typeof noticeMessages.$inferSelect;

interface Ways {
  /** Null: the installation sends no e-mail. */
  mail: MailTransport | null;
  hooks: HookPoster;
}

/** Determines the recipients of causes, and sends their messages unless the installation is quiet. */
export async function startNotices(
  context: EventsContext,
  { waitFactor = 1 }: { waitFactor?: number | undefined } = {},
): Promise<{ stop(): Promise<void> }> {
  const sending = context.config.quiet ? null : await startSending(context);
  const spreading = keepSpreading(context, waitFactor, () => sending?.wake());
  return {
    async stop() {
      await spreading.stop();
      await sending?.stop();
    },
  };
}

async function startSending(context: EventsContext) {
  const ways: Ways = {
    mail: context.config.smtp && (await openMailTransport(context.config.smtp)),
    hooks: openHookPoster(context.config),
  };
  const loop = startLeasedLoop<MessageRow>(context, {
    name: "notices",
    slots,
    pollMs,
    isPassing: isDatabaseUnavailable,
    keyOf: ({ id }) => id,
    accountOf: ({ accountId, address, recipient }) => accountId ?? address ?? recipient,
    claim: (limit, inHand, busy) => claim(context, limit, inHand, busy),
    run: async (message) => saveOutcome(context, message, await sendMessage(context, ways, message)),
    renew: (inHand) => renew(context, inHand),
  });
  return {
    wake: () => loop.wake(),
    async stop() {
      await loop.stop();
      ways.mail?.close();
      await ways.hooks.close();
    },
  };
}

/** `dropped`: the message no longer has a recipient. */
type SendOutcome =
  | { result: "sent" }
  | { result: "dropped" }
  | { result: "failed"; error: string; isFinal: boolean; retryAfterMs?: number };

const worksAgain = or(sql`not (${sql.raw(isListed())})`, eq(webhookEndpoints.consecutiveFailures, 0));

/**
 * Finds the recipients of new causes. It checks every second instead of waiting for a NOTIFY, because causes
 * are few and the check only reads an index of open ones.
 */
function keepSpreading(
  context: EventsContext,
  waitFactor: number,
  spread: () => void,
): { stop(): Promise<void> } {
  let isStopped = false;
  let running: Promise<void> = Promise.resolve();
  const look = async () => {
    try {
      while (!isStopped && (await spreadNext(context, waitFactor))) spread();
    } catch (error) {
      context.log.warn({ err: error }, "notices: could not find the recipients of a cause, will retry");
    }
  };
  let isLooking = false;
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    running = look().finally(() => {
      isLooking = false;
    });
  }, pollMs);
  return {
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await running;
    },
  };
}

/**
 * Leases due messages; a digest that is being sent accepts no more notices. A gathering message waits for
 * causes of its kind, and for recoveries of endpoints, that are recorded but not spread yet, so that failures
 * at the same time become one message however long spreading takes.
 */
async function claim(
  { database }: EventsContext,
  limit: number,
  inHand: InHand,
  busy: ReadonlyMap<string, number>,
): Promise<MessageRow[]> {
  const waiting = [...busy].filter(([, own]) => !mayTakeSlot(limit, own)).map(([account]) => account);
  return database.queries
    .update(noticeMessages)
    .set({
      status: "pending",
      // From now on no cause is added.
      dueAt: sql`case ${noticeMessages.status} when 'gathering' then clock_timestamp() else ${noticeMessages.dueAt} end`,
      leaseOwner: instanceId,
      leaseExpiresAt: fromNow(leaseMs),
    })
    .where(
      sql`${noticeMessages.id} = any (array(
        select m.id from ${noticeMessages} m
        where m.status in ('pending', 'gathering') and m.next_attempt_at <= now()
          and (m.lease_expires_at is null or m.lease_expires_at < now())
          and not (m.status = 'gathering' and m.created_at > now() - make_interval(secs => ${maxFirstWaitMs / 1000})
            and exists (select from ${noticeCauses} c where c.spread_at is null
              and c.account_id is not distinct from m.account_id
              and c.cause = any (m.causes || array['endpoint.recovered'])))
          and m.id <> all (${sql.param([...inHand.keys()])}::text[])
          and coalesce(m.account_id, m.address, m.recipient) <> all (${sql.param(waiting)}::text[])
        order by m.next_attempt_at limit ${limit} for update skip locked))`,
    )
    .returning();
}

async function renew({ database }: EventsContext, inHand: InHand): Promise<void> {
  await database.queries
    .update(noticeMessages)
    .set({ leaseExpiresAt: fromNow(leaseMs) })
    .where(
      and(
        eq(noticeMessages.leaseOwner, instanceId),
        sql`${noticeMessages.id} = any (${sql.param([...inHand.keys()])}::text[])`,
      ),
    );
}

/**
 * Sends a message once. Throws only while the database is unavailable; our own errors are retried like any
 * other failure.
 */
async function sendMessage(context: EventsContext, ways: Ways, message: MessageRow): Promise<SendOutcome> {
  try {
    const items = await withoutRecovered(context, message.items);
    const more = message.more - (await recoveredBeyond(context, message));
    if (items.length === 0 && message.items.length > 0 && more === 0) return { result: "dropped" };
    const current = { ...message, items, more };
    const isSent = message.hookId
      ? await postToHook(context, ways, current, message.hookId)
      : await sendMail(context, ways, current);
    return isSent ? { result: "sent" } : { result: "dropped" };
  } catch (error) {
    if (error instanceof HookError)
      return {
        result: "failed",
        error: error.message,
        isFinal: error.isFinal,
        retryAfterMs: error.retryAfterMs,
      };
    if (error instanceof MailError) return { result: "failed", error: error.message, isFinal: error.isFinal };
    if (isDatabaseUnavailable(error)) throw error;
    context.log.error({ err: error, message: message.id }, "notices: a message could not be written");
    return { result: "failed", error: "The message could not be written: see the log", isFinal: false };
  }
}

/**
 * Leaves out endpoints that recovered while the message was gathered: neither their failure nor their
 * recovery is reported.
 */
async function withoutRecovered(
  { database }: EventsContext,
  items: readonly MessageItem[],
): Promise<MessageItem[]> {
  const failing = new Set(
    items.flatMap(({ cause, subjectId }) => (cause === "endpoint.failing" && subjectId) || []),
  );
  if (failing.size === 0) return [...items];
  const rows = await database.queries
    .select({ id: webhookEndpoints.id })
    .from(webhookEndpoints)
    .where(and(inArray(webhookEndpoints.id, [...failing]), worksAgain));
  const isOver = new Set(rows.map(({ id }) => id));
  return items.filter(({ cause, subjectId }) => {
    const id = subjectId ?? "";
    if (cause === "endpoint.failing") return !isOver.has(id);
    return cause !== "endpoint.recovered" || !failing.has(id);
  });
}

/** How many of the endpoints that a message only counts have recovered. */
async function recoveredBeyond(
  { database }: EventsContext,
  { accountId, causes, items, more, createdAt, dueAt }: MessageRow,
): Promise<number> {
  if (more === 0 || accountId === null || !causes.includes("endpoint.failing")) return 0;
  const listed = items.flatMap(({ cause, subjectId }) => (cause === "endpoint.failing" && subjectId) || []);
  const [row] = await database.queries
    .select({ recovered: count() })
    .from(noticeCauses)
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, noticeCauses.subjectId))
    .where(
      and(
        eq(noticeCauses.accountId, accountId),
        eq(noticeCauses.cause, "endpoint.failing"),
        gte(noticeCauses.spreadAt, createdAt),
        lte(noticeCauses.spreadAt, dueAt),
        notInArray(webhookEndpoints.id, listed),
        worksAgain,
      ),
    );
  return Math.min(more, row?.recovered ?? 0);
}

async function postToHook(
  context: EventsContext,
  { hooks }: Ways,
  message: MessageRow,
  hookId: string,
): Promise<boolean> {
  const { queries } = context.database;
  const [hook] = await queries.select().from(noticeHooks).where(eq(noticeHooks.id, hookId));
  if (!hook) return false;
  const body = hookBody(
    hook.template,
    { ...message, ...(await ownerOf(context, hook)) },
    pageUrls(context.config),
    await textsOf(context, hook),
  );
  await hooks.post(hookSealer(context.config).open(hook, hook.id), message.id, body);
  return true;
}

async function sendMail(context: EventsContext, { mail }: Ways, message: MessageRow): Promise<boolean> {
  const addressed = await addressOf(context, message);
  if (!addressed) return false;
  const letter = await letterOf(context, message);
  if (!letter) return false;
  if (!mail) throw new MailError("SMTP_HOST is no longer set", true);
  await mail.send({ id: message.id, to: addressed, ...writeLetter(letter) });
  return true;
}

/** The recipient's e-mail address; null if they were deleted or left the account. */
async function addressOf({ database }: EventsContext, message: MessageRow): Promise<string | null> {
  if (message.address !== null) return message.address;
  if (message.userId === null) return null;
  const { queries } = database;
  const [user] = await queries.select({ email: users.email }).from(users).where(eq(users.id, message.userId));
  if (!user || message.accountId === null) return user?.email ?? null;
  const [member] = await queries
    .select({ userId: members.userId })
    .from(members)
    .where(and(eq(members.accountId, message.accountId), eq(members.userId, message.userId)));
  return member ? user.email : null;
}

async function letterOf(context: EventsContext, message: MessageRow): Promise<Letter | null> {
  const { kind, accountId, data, userId } = message;
  const language = message.language ?? (await languageOf(context.database.queries, userId));
  const texts = await messageWords("mail", language);
  switch (kind) {
    case "notices":
      return noticeLetter(
        message,
        {
          accountId,
          accountName: accountId && (await accountName(context.database.queries, accountId)),
          pageUrl: pageUrls(context.config),
        },
        texts,
        await messageWords("causes", language),
      );
    case "reset_request":
      return resetLetter(context, message);
    default:
      return linkLetter(kind, data, openLink(context, message), texts);
  }
}

function openLink({ config }: EventsContext, { id, keyId, ciphertext }: MessageRow): string | null {
  return keyId === null || ciphertext === null ? null : mailSealer(config).open({ keyId, ciphertext }, id);
}

/**
 * The link is created only here, not when it is requested, so that the sign-in page answers equally fast
 * whether or not a user has the address.
 */
async function resetLetter(context: EventsContext, message: MessageRow): Promise<Letter | null> {
  const email = message.address ?? "";
  return context.database.transaction(async (queries) => {
    const [user] = await queries
      .select({ id: users.id, passwordHash: users.passwordHash, language: users.language })
      .from(users)
      .where(eq(users.email, email));
    // A person who signs in only through the identity provider has no password to reset.
    if (!user?.passwordHash) return null;
    const reset = await writeReset(queries, context.config, user.id, null);
    const texts = await messageWords("mail", user.language ?? message.language);
    return linkLetter("password_reset", { email, expires_at: reset.expires_at }, reset.url, texts);
  });
}

const minuteMs = 60_000;
/** The waits after each failed attempt to send a notice: about eight hours in total. */
const noticeWaitsMs = [1, 5, 30, 120, 360].map((minutes) => minutes * minuteMs);
/**
 * The waits for messages that somebody expects now, such as a password link: short at first, because most
 * mail servers are down only for minutes.
 */
const awaitedWaitsMs = [0.5, 1, 1, 2, 2, 2, 2, 5, 5, 5, 5, 30, 120, 360].map((minutes) => minutes * minuteMs);

/**
 * Saves the outcome. A message that cannot be sent is retried a few times; then it is given up, and the
 * console says so. A worker that lost its lease saves nothing, because another one sends the message.
 */
async function saveOutcome(context: EventsContext, message: MessageRow, outcome: SendOutcome): Promise<void> {
  const { id } = message;
  const isOurs = and(eq(noticeMessages.id, id), eq(noticeMessages.leaseOwner, instanceId));
  const lease = { leaseOwner: null, leaseExpiresAt: null };
  await context.database.transaction(async (queries) => {
    if (outcome.result === "dropped") {
      await queries.delete(noticeMessages).where(isOurs);
      return;
    }
    const attempts = message.attempts + 1;
    if (outcome.result === "sent") {
      await queries
        .update(noticeMessages)
        .set({
          ...lease,
          status: "sent",
          attempts,
          sentAt: clock.date(),
          error: null,
          keyId: null,
          ciphertext: null,
        })
        .where(isOurs);
      if (message.hookId)
        await queries
          .update(noticeHooks)
          .set({ lastSentAt: clock.date(), lastError: null, lastErrorAt: null })
          .where(eq(noticeHooks.id, message.hookId));
      return;
    }
    const { error } = outcome;
    const waitsMs = message.kind === "notices" ? noticeWaitsMs : awaitedWaitsMs;
    const usualMs = outcome.isFinal ? undefined : waitsMs[message.attempts];
    const waitMs = usualMs && Math.max(usualMs, outcome.retryAfterMs ?? 0);
    await queries
      .update(noticeMessages)
      .set(
        waitMs === undefined
          ? { ...lease, status: "failed", attempts, error, keyId: null, ciphertext: null }
          : { ...lease, attempts, error, nextAttemptAt: fromNow(waitMs) },
      )
      .where(isOurs);
    if (message.hookId)
      await queries
        .update(noticeHooks)
        .set({ lastError: error, lastErrorAt: clock.date() })
        .where(eq(noticeHooks.id, message.hookId));
    else if (waitMs === undefined) await markUnsent(queries, message, error);
  });
  if (outcome.result === "failed")
    context.log.warn(
      { message: id, kind: message.kind, reason: outcome.error },
      "notices: a message could not be sent",
    );
}

/** The console shows notices that could not be sent, even to people who chose only e-mail. */
async function markUnsent(queries: Queries, { items }: MessageRow, error: string): Promise<void> {
  const ids = items.map(({ noticeId }) => noticeId).filter((one) => one !== null);
  if (ids.length === 0) return;
  await queries.update(notices).set({ emailError: error, isHidden: false }).where(inArray(notices.id, ids));
}
