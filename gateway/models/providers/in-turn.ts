/** The values that decide in which order the routes of an operation, or the keys of a region, are tried. */
interface Ranked {
  priority: number;
  weight: number | null;
}

/**
 * The order in which routes are tried: lower priority numbers first. Among equal priorities, weighted routes
 * are drawn, and each comes first in proportion to its weight; without weights they keep their order. `draw`
 * returns 0 to below 1: at random, or always the same for a conversation and a route.
 */
export function inTurn<Route extends Ranked>(
  routes: readonly Route[],
  draw: (route: Route) => number = Math.random,
): Route[] {
  if (routes.length < 2) return [...routes];
  const priorities = [...new Set(routes.map(({ priority }) => priority))].sort((one, other) => one - other);
  return priorities.flatMap((priority) =>
    shared(
      routes.filter((route) => route.priority === priority),
      draw,
    ),
  );
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
