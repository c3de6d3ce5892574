import type { Context } from "#gateway/context.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import type { Changed } from "../change.ts";
import type { Undoing } from "../changes/undoing.ts";
import { readRouteRows } from "./read-routes.ts";
import { routesChanged, routesOfSnapshot, writeRoutes } from "./replace.ts";
import { touchedRoutes, withFormerRoutes } from "./touched-routes.ts";

/**
 * Restores the routes that a change touched; all others stay. A route whose provider has been deleted has a
 * problem, and serves nothing.
 */
export async function restoreRoutes(_: Context, queries: Queries, change: Undoing): Promise<Changed<void>> {
  const before = routesOfSnapshot(change.before ?? { routes: [] });
  const after = routesOfSnapshot(change.after ?? { routes: [] });
  const rows = await readRouteRows(queries);
  const touches = touchedRoutes(before, after);
  const current = rows.map(({ id, entry }) => ({ id, entry }));
  await writeRoutes(queries, rows, withFormerRoutes(current, before, new Set(touches)));
  return { ...routesChanged(rows, await readRouteRows(queries)), touches };
}
