import type { Deleted } from "#contract/list.ts";
import { type Caller, recordAudit } from "#gateway/access/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { presets } from "#gateway/platform/database/schema.ts";
import { findPreset } from "./find.ts";

/** Deletes a preset; afterwards its id is unknown. Throws `preset_not_found`. */
export async function deletePreset(context: Context, caller: Caller, id: string): Promise<Deleted> {
  const { accountId } = caller.actor;
  await context.database.transaction(async (queries) => {
    const { name, model, apiType } = await findPreset(queries, accountId, id, { forUpdate: true });
    await queries.delete(presets).where(eq(presets.id, id));
    await recordAudit(queries, {
      accountId,
      actor: caller.actor,
      action: "preset.deleted",
      targetId: id,
      detail: { name, operation: `${model}:${apiType}` },
      ip: caller.ip,
      requestId: caller.requestId,
    });
  });
  return { id, object: "preset", deleted: true };
}
