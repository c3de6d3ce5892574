import type { Sweep } from "#gateway/platform/core/sweeps.ts";
import { and, eq, ne } from "#gateway/platform/database/drizzle.ts";
import { rowSweep } from "#gateway/platform/database/row-sweep.ts";
import { noticeHooks, noticeMessages } from "#gateway/platform/database/schema.ts";
import { mailSealer } from "#gateway/platform/outbox/queue-mail.ts";
import { hookSealer } from "./hooks/hooks.ts";

const daySeconds = 86_400;
const batchSize = 100;

/**
 * Deletes causes at the same age as notices. Until then the key of a one-time cause prevents a second notice.
 */
export const noticeCauseSweep = rowSweep({
  kind: "notice_causes",
  table: "notice_causes",
  dueAt: "created_at",
  afterSeconds: 90 * daySeconds,
});

export const noticeSweep = rowSweep({
  kind: "notices",
  table: "notices",
  dueAt: "created_at",
  afterSeconds: 90 * daySeconds,
});

export const noticeMessageSweep = rowSweep({
  kind: "notice_messages",
  table: "notice_messages",
  dueAt: "created_at",
  afterSeconds: 30 * daySeconds,
});

/** While AUTH_SECRET is being replaced: reseals hook URLs and unsent links with the new one. */
export const noticeSealSweep: Sweep = {
  kind: "notice_seals",
  async run({ config, database }) {
    if (!config.previousSecret) return false;
    const [hookSeal, mailSeal] = [hookSealer(config), mailSealer(config)];
    return database.transaction(async (queries) => {
      const hooks = await queries
        .select()
        .from(noticeHooks)
        .where(ne(noticeHooks.keyId, hookSeal.keyId))
        .limit(batchSize)
        .for("update", { skipLocked: true });
      for (const row of hooks)
        await queries
          .update(noticeHooks)
          .set(hookSeal.seal(hookSeal.open(row, row.id), row.id))
          .where(eq(noticeHooks.id, row.id));
      const mails = await queries
        .select()
        .from(noticeMessages)
        .where(and(eq(noticeMessages.status, "pending"), ne(noticeMessages.keyId, mailSeal.keyId)))
        .limit(batchSize)
        .for("update", { skipLocked: true });
      for (const { id, keyId, ciphertext } of mails)
        if (keyId !== null && ciphertext !== null)
          await queries
            .update(noticeMessages)
            .set(mailSeal.seal(mailSeal.open({ keyId, ciphertext }, id), id))
            .where(eq(noticeMessages.id, id));
      return hooks.length === batchSize || mails.length === batchSize;
    });
  },
  oldestDue: () => null,
};
