import type { Context } from "#gateway/context.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import type { Changed } from "../change.ts";

/** A change that is to be undone, as its audit row has it. */
export interface Undoing {
  id: string;
  action: string;
  targetId: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

/** Brings back what was before a change, in the transaction of another one. Throws `change_not_undoable`. */
export type Restore = (context: Context, queries: Queries, change: Undoing) => Promise<Changed<void>>;
