import type { Context } from "#gateway/context.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import type { Changed } from "../change.ts";
import type { Undoing } from "../changes/undoing.ts";
import { restoreModel } from "../models/restore.ts";
import { restoreProvider } from "../providers/restore.ts";
import { restoreRoutes } from "../routes/restore.ts";

type Side = Undoing["before"];

/**
 * Restores routes, providers and models to their state before an import, or before an undo of one. Throws
 * `change_not_undoable`.
 */
export async function restoreImport(
  context: Context,
  queries: Queries,
  change: Undoing,
): Promise<Changed<void>> {
  const providers = await restoreAll(change, "providers", (one) => restoreProvider(context, queries, one));
  const models = await restoreAll(change, "models", (one) => restoreModel(context, queries, one));
  const routes = await restoreRoutes(context, queries, change);
  const wasImport = change.action === "configuration.imported";
  return {
    ...routes,
    touches: [...(routes.touches ?? []), ...providers.ids, ...models.ids],
    before: { ...routes.before, providers: providers.before, models: models.before },
    after: { ...routes.after, providers: providers.after, models: models.after },
    action: wasImport ? "configuration.import_undone" : "configuration.imported",
    async finish(changeId) {
      for (const finish of providers.finishes) await finish(changeId);
    },
  };
}

interface Restored {
  ids: string[];
  /** By id, before and after the change; missing objects are left out. */
  before: Record<string, unknown>;
  after: Record<string, unknown>;
  finishes: NonNullable<Changed<void>["finish"]>[];
}

/** Restores each provider or model as a change of its own. */
async function restoreAll(
  change: Undoing,
  kind: "providers" | "models",
  restore: (one: Undoing) => Promise<Changed<void>>,
): Promise<Restored> {
  const [was, is] = [partOf(change.before, kind), partOf(change.after, kind)];
  const ids = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  const restored: Restored = { ids, before: {}, after: {}, finishes: [] };
  for (const id of ids) {
    const one = { ...change, targetId: id, before: was[id] ?? null, after: is[id] ?? null };
    const { before, after, finish } = await restore(one);
    if (before) restored.before[id] = before;
    if (after) restored.after[id] = after;
    if (finish) restored.finishes.push(finish);
  }
  return restored;
}

function partOf(side: Side, kind: string): Record<string, Side> {
  return (side?.[kind] ?? {}) as Record<string, Side>;
}
