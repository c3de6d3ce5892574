import { isDeepStrictEqual } from "node:util";
import type { RouteEntry } from "#contract/operator/routes.ts";

/** A route in the console's table. */
export interface KnownRoute {
  id: string;
  entry: RouteEntry;
}

/** The ids of routes that were added, removed or changed; all of them if the order changed. */
export function touchedRoutes(before: readonly KnownRoute[], after: readonly KnownRoute[]): string[] {
  const [was, is] = [entriesOf(before), entriesOf(after)];
  const all = [...new Set([...was.keys(), ...is.keys()])];
  const kept = [...was.keys()].filter((id) => is.has(id));
  const stillKept = [...is.keys()].filter((id) => was.has(id));
  if (!isDeepStrictEqual(kept, stillKept)) return all;
  return all.filter((id) => !isDeepStrictEqual(was.get(id), is.get(id)));
}

/**
 * The table with these routes restored: changed back, removed, or inserted again after their former
 * predecessor.
 */
export function withFormerRoutes(
  current: readonly KnownRoute[],
  before: readonly KnownRoute[],
  touched: ReadonlySet<string>,
): KnownRoute[] {
  const was = entriesOf(before);
  const result = current.filter(({ id }) => !touched.has(id));
  for (const [index, { id }] of before.entries()) {
    if (!touched.has(id)) continue;
    const earlier = new Set(before.slice(0, index).map((route) => route.id));
    const place = result.findLastIndex((route) => earlier.has(route.id)) + 1;
    result.splice(place, 0, { id, entry: was.get(id) as RouteEntry });
  }
  return result;
}

function entriesOf(routes: readonly KnownRoute[]): Map<string, RouteEntry> {
  return new Map(routes.map(({ id, entry }) => [id, entry]));
}
