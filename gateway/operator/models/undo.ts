import { isDeepStrictEqual } from "node:util";
import type { Caller } from "#gateway/accounts/audit.ts";
import { ApiError } from "#gateway/core/api-error.ts";
import type { Queries } from "#gateway/database/database.ts";
import type { Changed } from "../change.ts";
import { bringBack } from "./revisions.ts";
import { type ModelState, saveOffered, saveSettings, stateOf } from "./states.ts";

/** The states before and after a change, as its audit row keeps them. */
interface Undone {
  targetId: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

/** Whether an entry is still as a change left it. */
export async function isModelAsLeft(queries: Queries, { targetId, after }: Undone): Promise<boolean> {
  return isDeepStrictEqual(await stateOf(queries, targetId), stateIn(after));
}

/** Brings an entry back to how it was before a change. Throws `change_not_undoable` when it was changed since. */
export async function undoModelChange(
  queries: Queries,
  caller: Caller,
  undone: Undone,
): Promise<Changed<void>> {
  const { targetId: id } = undone;
  const current = await stateOf(queries, id);
  if (!(await isModelAsLeft(queries, undone)))
    throw new ApiError("change_not_undoable", `${id} was changed again since. Undo that change first.`);
  const before = stateIn(undone.before);
  if (before === null) await saveOffered(queries, id, false);
  else {
    if (current === null) await saveOffered(queries, id, true);
    if (before.revision !== null) await bringBack(queries, caller, id, before.revision);
    await saveSettings(queries, id, before);
  }
  return {
    action: before === null ? "model.deleted" : current === null ? "model.created" : "model.updated",
    targetId: id,
    before: current,
    after: await stateOf(queries, id),
    result: undefined,
  };
}

function stateIn(kept: Record<string, unknown> | null): ModelState | null {
  if (kept === null) return null;
  const { revision, display_name, hidden, accounts } = kept as ModelState;
  return { revision, display_name, hidden, accounts };
}
