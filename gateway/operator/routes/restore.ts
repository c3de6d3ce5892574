import type { Context } from "#gateway/context.ts";
import type { Queries } from "#gateway/database/database.ts";
import type { Changed } from "../change.ts";
import type { Undoing } from "../changes/undoing.ts";
import { readRouteRows } from "./read-routes.ts";
import { routesOfSnapshot, writeRoutes } from "./replace.ts";

/** The console's routes as they were before a change. One whose provider is gone since has a problem, and serves nothing. */
export async function restoreRoutes(_: Context, queries: Queries, change: Undoing): Promise<Changed<void>> {
  const { targetId, before, after } = change;
  await writeRoutes(queries, await readRouteRows(queries), routesOfSnapshot(before ?? { routes: [] }));
  return { action: "routes.updated", targetId, before: after, after: before, result: undefined };
}
