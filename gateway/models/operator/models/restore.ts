import { isDeepStrictEqual } from "node:util";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import type { Changed } from "../change.ts";
import { released } from "./released.ts";
import { bringBack, findRevision } from "./revisions.ts";
import { type ModelState, saveOffered, saveSettings, stateOf } from "./states.ts";

/** The states before and after a change, from its audit row. */
interface Undoing {
  targetId: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

/** The author of revisions that an undo makes. */
const byUndoing = "An undone change";

/**
 * Restores an entry to its state before a change. Throws `change_not_undoable` if it is not as the change
 * left it.
 */
export async function restoreModel(_: Context, queries: Queries, undoing: Undoing): Promise<Changed<void>> {
  const { targetId: id } = undoing;
  const current = await stateOf(queries, id);
  if (!(await isSame(queries, id, current, stateIn(undoing.after))))
    throw new ApiError("change_not_undoable", `${id} has been changed again. Undo the newer change first.`);
  const before = stateIn(undoing.before);
  if (before === null) await saveOffered(queries, id, false);
  else {
    if (current === null) await saveOffered(queries, id, true);
    if (before.revision !== null) await bringBack(queries, byUndoing, id, before.revision);
    await saveSettings(queries, id, before);
  }
  const created = current === null ? "model.created" : "model.updated";
  return {
    action: before === null ? "model.deleted" : created,
    targetId: id,
    before: current,
    after: await stateOf(queries, id),
    result: undefined,
  };
}

/** Compares contents, because undoing makes a new revision with the content of an old one. */
async function isSame(queries: Queries, id: string, one: ModelState | null, other: ModelState | null) {
  if (one === null || other === null) return one === other;
  if (!isDeepStrictEqual({ ...one, revision: null }, { ...other, revision: null })) return false;
  if (one.revision === null || other.revision === null) return one.revision === other.revision;
  const before = (await findRevision(queries, id, other.revision)).entry;
  return released((await findRevision(queries, id, one.revision)).entry, before) === before;
}

function stateIn(kept: Record<string, unknown> | null): ModelState | null {
  if (kept === null) return null;
  const { revision, display_name, hidden, accounts } = kept as ModelState;
  return { revision, display_name, hidden, accounts };
}
