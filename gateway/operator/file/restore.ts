import type { Context } from "#gateway/context.ts";
import type { Queries } from "#gateway/database/database.ts";
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
  for (const id of before) await bringBackProvider(queries, await keptProvider(queries, id));
  for (const id of after) await letGo(queries, await keptProvider(queries, id));
  const routes = await restoreRoutes(context, queries, change);
  const wasImport = change.action === "configuration.imported";
  const touches = [...(routes.touches ?? []), ...before, ...after];
  return {
    ...routes,
    touches,
    before: { ...routes.before, providers: change.after?.providers ?? {} },
    after: { ...routes.after, providers: change.before?.providers ?? {} },
    action: wasImport ? "configuration.import_undone" : "configuration.imported",
  };
}

/** An import has its providers on one side, by their ids. */
function providersOf(side: Undoing["before"]): string[] {
  return Object.keys((side?.providers ?? {}) as object);
}
