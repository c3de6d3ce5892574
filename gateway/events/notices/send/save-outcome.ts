import type { Context } from "#gateway/context.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { instanceId } from "#gateway/platform/core/instance.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, inArray } from "#gateway/platform/database/drizzle.ts";
import { fromNow } from "#gateway/platform/database/from-now.ts";
import { noticeHooks, noticeMessages, notices } from "#gateway/platform/database/schema.ts";
import type { MessageRow, SendOutcome } from "./send-message.ts";

const minuteMs = 60_000;
/** After each failed try of notices, until the last: some eight hours altogether. */
const noticeWaitsMs = [1, 5, 30, 120, 360].map((minutes) => minutes * minuteMs);
/** The same of what somebody waits for, such as a link for a new password: often while a mail server is away for minutes. */
const awaitedWaitsMs = [0.5, 1, 1, 2, 2, 2, 2, 5, 5, 5, 5, 30, 120, 360].map((minutes) => minutes * minuteMs);

/**
 * Saves how it went. What cannot be sent is tried again a few times; then it is given up, and the console says so. A worker
 * that lost its lease saves nothing: another one sends the message.
 */
export async function saveOutcome(
  context: Context,
  message: MessageRow,
  outcome: SendOutcome,
): Promise<void> {
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

/** The console shows what could not be sent, also to somebody who wanted it by e-mail alone. */
async function markUnsent(queries: Queries, { items }: MessageRow, error: string): Promise<void> {
  const ids = items.map(({ noticeId }) => noticeId).filter((one) => one !== null);
  if (ids.length === 0) return;
  await queries.update(notices).set({ emailError: error, isHidden: false }).where(inArray(notices.id, ids));
}
