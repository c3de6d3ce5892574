import { isTerminal } from "#contract/prediction.ts";
import { type Caller, recordAudit } from "#gateway/access/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { and, eq, isNull, sql } from "#gateway/platform/database/drizzle.ts";
import { predictions } from "#gateway/platform/database/schema.ts";
import { findPrediction } from "./read.ts";

/**
 * Ends the retention of a video now: its next sweep removes its files, and no new URL of them is given out. Its prediction stays in the history. Throws
 * `prediction_not_found`, and `invalid_parameter` while it runs.
 */
export async function deleteVideo(context: Context, { actor, ip, requestId }: Caller, id: string) {
  const { accountId } = actor;
  const row = await findPrediction(context, accountId, id);
  if (!isTerminal(row.status))
    throw new ApiError(
      "invalid_parameter",
      `This video is still being made. POST /v1/predictions/${id}/cancel ends it first.`,
      { param: "id" },
    );
  await context.database.transaction(async (queries) => {
    const ended = await queries
      .update(predictions)
      .set({ expiresAt: sql`least(expires_at, now())` })
      .where(and(eq(predictions.id, id), isNull(predictions.dataRemovedAt)))
      .returning({ id: predictions.id });
    if (ended.length === 0) return;
    const entry = { accountId, actor, action: "prediction.deleted" as const, targetId: id, ip, requestId };
    await recordAudit(queries, entry);
  });
  return { id, object: "video.deleted" as const, deleted: true as const };
}
