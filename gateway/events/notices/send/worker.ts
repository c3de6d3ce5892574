import type { BaseContext } from "#gateway/context.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { mayTakeSlot } from "#gateway/platform/core/fair-queue.ts";
import { instanceId, leaseMs } from "#gateway/platform/core/instance.ts";
import { type InHand, startLeasedLoop } from "#gateway/platform/core/leased-loop.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, inArray, sql } from "#gateway/platform/database/drizzle.ts";
import { fromNow } from "#gateway/platform/database/free-leases.ts";
import { noticeCauses, noticeHooks, noticeMessages, notices } from "#gateway/platform/database/schema.ts";
import { isDatabaseUnavailable } from "#gateway/platform/database/unavailable.ts";
import { maxFirstWaitMs } from "../gather.ts";
import { openHookPoster } from "../hooks/post.ts";
import { openMailTransport } from "../mail/transport.ts";
import { spreadNext } from "../spread.ts";
import { type MessageRow, type SendOutcome, sendMessage, type Ways } from "./send-message.ts";

/** Messages that one process sends at once. */
const slots = 8;
const pollMs = 1_000;

/** Determines the recipients of causes, and sends their messages. */
export async function startNotices(
  context: BaseContext,
  { waitFactor = 1 }: { waitFactor?: number | undefined } = {},
): Promise<{ stop(): Promise<void> }> {
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
  const spreading = keepSpreading(context, waitFactor, () => loop.wake());
  return {
    async stop() {
      await spreading.stop();
      await loop.stop();
      ways.mail?.close();
      await ways.hooks.close();
    },
  };
}

/**
 * Finds the recipients of new causes. It checks every second instead of waiting for a NOTIFY, because causes
 * are few and the check only reads an index of open ones.
 */
function keepSpreading(
  context: BaseContext,
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
  { database }: BaseContext,
  limit: number,
  inHand: InHand,
  busy: ReadonlyMap<string, number>,
): Promise<MessageRow[]> {
  const waiting = [...busy].filter(([, own]) => !mayTakeSlot(limit, own)).map(([account]) => account);
  return database.queries
    .update(noticeMessages)
    .set({ status: "pending", leaseOwner: instanceId, leaseExpiresAt: fromNow(leaseMs) })
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

async function renew({ database }: BaseContext, inHand: InHand): Promise<void> {
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
async function saveOutcome(context: BaseContext, message: MessageRow, outcome: SendOutcome): Promise<void> {
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
