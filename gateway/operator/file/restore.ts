import { and, gt, inArray } from "drizzle-orm";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/core/api-error.ts";
import type { Queries } from "#gateway/database/database.ts";
import { configurationChanges } from "#gateway/database/schema.ts";
import type { Changed } from "../change.ts";
import type { Undoing } from "../changes/undoing.ts";
import { letGo } from "../providers/delete.ts";
import { bringBackProvider, keptProvider } from "../providers/restore.ts";
import { restoreRoutes } from "../routes/restore.ts";

/** The routes and providers as they were before an import, or before one was undone. Throws `change_not_undoable`. */
export async function restoreImport(
  context: Context,
  queries: Queries,
  change: Undoing,
): Promise<Changed<void>> {
  const [before, after] = [providersOf(change.before), providersOf(change.after)];
  await assertUntouched(queries, change.id, [...before, ...after]);
  for (const id of before) await bringBackProvider(queries, await keptProvider(queries, id));
  for (const id of after) await letGo(queries, await keptProvider(queries, id));
  const routes = await restoreRoutes(context, queries, change);
  const wasImport = change.action === "configuration.imported";
  return { ...routes, action: wasImport ? "configuration.import_undone" : "configuration.imported" };
}

/** An import has its providers on one side, by their ids. */
function providersOf(side: Undoing["before"]): string[] {
  return Object.keys((side?.providers ?? {}) as object);
}

async function assertUntouched(queries: Queries, changeId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const later = await queries
    .select({ id: configurationChanges.id })
    .from(configurationChanges)
    .where(and(inArray(configurationChanges.targetId, [...ids]), gt(configurationChanges.id, changeId)))
    .limit(1);
  if (later.length > 0)
    throw new ApiError(
      "change_not_undoable",
      "A provider of this import was changed since. Undo the later change first.",
    );
}
