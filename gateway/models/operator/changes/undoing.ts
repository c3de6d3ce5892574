import type { Context } from "#gateway/context.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import type { Changed } from "../change.ts";

/** A change to be undone, from its audit row. */
export interface Undoing {
  id: string;
  action: string;
  targetId: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

/** Restores the state before a change, in the transaction of the new change. Throws `change_not_undoable`. */
export type Restore = (context: Context, queries: Queries, change: Undoing) => Promise<Changed<void>>;
