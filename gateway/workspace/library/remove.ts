import type { Deleted } from "#contract/list.ts";
import { keepUndoMs } from "#contract/outputs.ts";
import { type Caller, recordAudit } from "#gateway/access/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { and, eq } from "#gateway/platform/database/drizzle.ts";
import { keptOutputs } from "#gateway/platform/database/schema.ts";
import { outputNotFound } from "#gateway/runs/provenance/find-outputs.ts";
import { isKeptNow } from "#gateway/runs/provenance/kept-rows.ts";

/**
 * Takes an output out of the library at once; its file goes some minutes later, so that nobody loses one by a wrong click.
 * Throws `output_not_found`.
 */
export async function removeKept(
  { database }: Context,
  { actor, ip, requestId }: Caller,
  id: string,
): Promise<Deleted> {
  const { accountId } = actor;
  await database.transaction(async (queries) => {
    const [removed] = await queries
      .update(keptOutputs)
      .set({ goesAt: new Date(clock.now() + keepUndoMs) })
      .where(and(eq(keptOutputs.outputId, id), eq(keptOutputs.accountId, accountId), isKeptNow))
      .returning({ model: keptOutputs.model, labels: keptOutputs.labels });
    if (!removed) throw outputNotFound(id);
    const { model, labels } = removed;
    await recordAudit(queries, {
      accountId,
      actor,
      action: "output.removed",
      targetId: id,
      detail: { model, labels },
      ip,
      requestId,
    });
  });
  return { id, object: "output", deleted: true };
}
