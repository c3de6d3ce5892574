import type { Sweep } from "#gateway/platform/core/sweeps.ts";
import { deletion, isFullBatch } from "#gateway/platform/database/row-sweep.ts";

/** Removes conversations that nobody has changed for as long as history is kept. */
export const conversationHistorySweep: Sweep = {
  kind: "conversation_history",
  async run({ database, history: { days } }) {
    if (days === null) return false;
    const old = `updated_at < now() - interval '${days} days' order by updated_at`;
    return isFullBatch(await database.pool.query(deletion("conversations", old)));
  },
  oldestDue: ({ history: { days } }) =>
    days === null ? null : `select min(updated_at) + interval '${days} days' from conversations`,
};
