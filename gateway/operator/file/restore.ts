import type { Context } from "#gateway/context.ts";
import type { Queries } from "#gateway/database/database.ts";
import type { Changed } from "../change.ts";
import type { Undoing } from "../changes/undoing.ts";
import { restoreModel } from "../models/restore.ts";
import { type ModelState, stateOf } from "../models/states.ts";
import { letGo } from "../providers/delete.ts";
import { bringBackProvider, keptProvider } from "../providers/restore.ts";
import { restoreRoutes } from "../routes/restore.ts";

/** The routes, providers and models as they were before an import, or before one was undone. Throws `change_not_undoable`. */
export async function restoreImport(
  context: Context,
  queries: Queries,
  change: Undoing,
): Promise<Changed<void>> {
  const [before, after] = [providersOf(change.before), providersOf(change.after)];
  for (const id of before) await bringBackProvider(queries, await keptProvider(queries, id));
  for (const id of after) await letGo(queries, await keptProvider(queries, id));
  const models = modelsOf(change);
  for (const model of models) await restoreModel(context, queries, model);
  const routes = await restoreRoutes(context, queries, change);
  const wasImport = change.action === "configuration.imported";
  const touches = [...(routes.touches ?? []), ...before, ...after, ...models.map(({ targetId }) => targetId)];
  const states: Record<string, unknown> = {};
  for (const { targetId } of models) states[targetId] = await stateOf(queries, targetId);
  return {
    ...routes,
    touches,
    before: {
      ...routes.before,
      providers: change.after?.providers ?? {},
      models: change.after?.models ?? {},
    },
    after: { ...routes.after, providers: change.before?.providers ?? {}, models: states },
    action: wasImport ? "configuration.import_undone" : "configuration.imported",
  };
}

/** Each model as a change of its own. */
function modelsOf({ before, after }: Undoing) {
  const [was, is] = [before, after].map((side) => (side?.models ?? {}) as Record<string, ModelState | null>);
  return Object.keys({ ...was, ...is }).map((id) => ({
    targetId: id,
    before: was?.[id] ?? null,
    after: is?.[id] ?? null,
  }));
}

/** An import has its providers on one side, by their ids. */
function providersOf(side: Undoing["before"]): string[] {
  return Object.keys((side?.providers ?? {}) as object);
}
