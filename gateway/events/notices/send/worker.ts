import type { Context } from "#gateway/context.ts";
import { mayTakeSlot } from "#gateway/platform/core/fair-share.ts";
import { instanceId, leaseMs } from "#gateway/platform/core/instance.ts";
import { type InHand, startLeasedLoop } from "#gateway/platform/core/leased-loop.ts";
import { and, eq, sql } from "#gateway/platform/database/drizzle.ts";
import { fromNow } from "#gateway/platform/database/from-now.ts";
import { noticeMessages } from "#gateway/platform/database/schema.ts";
import { isDatabaseUnavailable } from "#gateway/platform/database/unavailable.ts";
import { openHookPoster } from "../hooks/post.ts";
import { openMailTransport } from "../mail/transport.ts";
import { spreadNext } from "../spread.ts";
import { saveOutcome } from "./save-outcome.ts";
import { type MessageRow, sendMessage, type Ways } from "./send-message.ts";

/** Messages that one process sends at once. */
const slots = 8;
const pollMs = 1_000;

/** Finds out who hears of what happened, and sends it. */
export async function startNotices(
  context: Context,
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

/** Spreads what was recorded, and looks again each second: causes are few, and the look is at an index of open ones. */
function keepSpreading(context: Context, waitFactor: number, spread: () => void): { stop(): Promise<void> } {
  let isStopped = false;
  let running: Promise<void> = Promise.resolve();
  const look = async () => {
    try {
      while (!isStopped && (await spreadNext(context, waitFactor))) spread();
    } catch (error) {
      context.log.warn({ err: error }, "notices: could not find out who hears of a cause, will retry");
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

/** Leases messages that are due; a digest that is sent takes nothing more. */
async function claim(
  { database }: Context,
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
          and m.id <> all (${sql.param([...inHand.keys()])}::text[])
          and coalesce(m.account_id, m.address, m.recipient) <> all (${sql.param(waiting)}::text[])
        order by m.next_attempt_at limit ${limit} for update skip locked))`,
    )
    .returning();
}

async function renew({ database }: Context, inHand: InHand): Promise<void> {
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
