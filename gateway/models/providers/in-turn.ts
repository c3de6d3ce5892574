/** The values that decide in which order the routes of an operation, or the keys of a region, are tried. */
interface Ranked {
  priority: number;
  weight: number | null;
}

/** Numbers that are compared one after the other; lower comes first. */
export type Rank = readonly number[];

/**
 * The order in which routes are tried: lower ranks first, if a request ranks them; then lower priority
 * numbers. Among equal priorities, weighted routes are drawn, and each comes first in proportion to its weight;
 * without weights they keep their order. `draw` returns 0 to below 1: at random, or always the same for a
 * conversation and a route.
 */
export function inTurn<Route extends Ranked>(
  routes: readonly Route[],
  draw: (route: Route) => number = Math.random,
  rankOf?: (route: Route) => Rank,
): Route[] {
  if (routes.length < 2) return [...routes];
  if (rankOf) return byRank(routes, rankOf).flatMap((equals) => inTurn(equals, draw));
  const priorities = [...new Set(routes.map(({ priority }) => priority))].sort((one, other) => one - other);
  return priorities.flatMap((priority) =>
    shared(
      routes.filter((route) => route.priority === priority),
      draw,
    ),
  );
}

/** The items in groups of equal rank, the lowest rank first. */
export function byRank<Item>(items: readonly Item[], rankOf: (item: Item) => Rank): Item[][] {
  const ranked = items.map((item) => ({ item, rank: rankOf(item) }));
  const groups: { items: Item[]; rank: Rank }[] = [];
  for (const { item, rank } of ranked.sort((one, other) => compare(one.rank, other.rank))) {
    const last = groups.at(-1);
    if (last && compare(last.rank, rank) === 0) last.items.push(item);
    else groups.push({ items: [item], rank });
  }
  return groups.map(({ items: equals }) => equals);
}

function compare(one: Rank, other: Rank): number {
  const at = one.findIndex((number, place) => number !== other[place]);
  return at < 0 ? 0 : (one[at] ?? 0) < (other[at] ?? 0) ? -1 : 1;
}

/** Shuffles routes of equal priority by weight; a route without a weight counts as 1. */
function shared<Route extends Ranked>(equals: Route[], draw: (route: Route) => number): Route[] {
  if (equals.length < 2 || equals.every(({ weight }) => weight === null)) return equals;
  // Draws are exponentially distributed, so the chance that a route has the smallest one is in proportion to
  // its weight.
  const draws = new Map(equals.map((route) => [route, waitOf(route.weight ?? 1, draw(route))]));
  return equals.toSorted((one, other) => (draws.get(one) ?? 0) - (draws.get(other) ?? 0));
}

function waitOf(weight: number, drawn: number): number {
  return weight === 0 ? Number.POSITIVE_INFINITY : -Math.log(1 - drawn) / weight;
}
