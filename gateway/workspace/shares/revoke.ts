import type { Deleted } from "#contract/list.ts";
import { type Caller, recordAudit } from "#gateway/access/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { and, eq } from "#gateway/platform/database/drizzle.ts";
import { shares } from "#gateway/platform/database/schema.ts";
import { hasOutput } from "./has-output.ts";

/** Ends a link at once: nothing it led to is served again. Throws `share_not_found`, for another account's too. */
export async function revokeShare(
  context: Context,
  { actor, ip, requestId }: Caller,
  outputId: string,
  id: string,
): Promise<Deleted> {
  const { accountId } = actor;
  await context.database.transaction(async (queries) => {
    const [revoked] = await queries
      .delete(shares)
      .where(and(eq(shares.id, id), eq(shares.accountId, accountId), hasOutput(outputId)))
      .returning();
    if (!revoked)
      throw new ApiError(
        "share_not_found",
        `There is no link ${id} to this output. It was revoked, or has ended.`,
      );
    await recordAudit(queries, {
      accountId,
      actor,
      action: "share.revoked",
      targetId: id,
      detail: {
        outputs: revoked.outputs.map(({ outputId }) => outputId),
        openings: revoked.openings,
        last_opened_at: revoked.lastOpenedAt?.toISOString() ?? null,
      },
      ip,
      requestId,
    });
  });
  return { id, object: "share", deleted: true };
}
