import { isId } from "#contract/ids.ts";
import type { ConfigurationChange } from "#contract/operator/changes.ts";
import type { Context } from "#gateway/context.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { changeConfiguration } from "../change.ts";
import { changeView, findChange } from "./list.ts";
import { restorerOf } from "./restorers.ts";
import { readHistories } from "./things.ts";

/**
 * Brings back what was before a change; that is a change of its own, and undoing it redoes the first. Each thing is undone
 * from its newest change backwards. Throws `change_not_found`, and `change_not_undoable` out of that order.
 */
export async function undoChange(context: Context, caller: Caller, id: string): Promise<ConfigurationChange> {
  let undone: ConfigurationChange | undefined;
  await changeConfiguration(context, caller, async (queries) => {
    const change = isId("audit", id) ? await findChange(queries, id) : null;
    if (!change) throw new ApiError("change_not_found", `There is no change "${id}".`);
    const restore = restorerOf(change.action);
    if (!restore)
      throw new ApiError("change_not_undoable", `A change like ${change.action} cannot be undone.`);
    if (!(await readHistories(queries, [id])).isOpen(id))
      throw new ApiError(
        "change_not_undoable",
        "It was undone already, or the same thing was changed since. Undo the newest change of it first.",
      );
    const { before = null, after = null } = (change.detail ?? {}) as Record<
      "before" | "after",
      Record<string, unknown> | null
    >;
    const { action, targetId } = change;
    const undoing = { id, action, targetId: targetId ?? "", before, after };
    const restored = await restore(context, queries, undoing);
    return {
      ...restored,
      undoes: id,
      async finish(changeId) {
        await restored.finish?.(changeId);
        const row = await findChange(queries, changeId);
        undone = row ? changeView(row, await readHistories(queries, [changeId])) : undefined;
      },
    };
  });
  if (!undone) throw new Error("The undo was not saved");
  return undone;
}
