/** What decides the order of routes for the same operation and region, and of keys. */
interface Ranked {
  priority: number;
  weight: number | null;
}

/**
 * The order in which routes are tried: lower priorities first. Among equals those with weights come first by chance, each as
 * often as its share; without weights they keep their order.
 */
export function inTurn<Route extends Ranked>(routes: readonly Route[], random = Math.random): Route[] {
  if (routes.length < 2) return [...routes];
  const priorities = [...new Set(routes.map(({ priority }) => priority))].sort((one, other) => one - other);
  return priorities.flatMap((priority) =>
    shared(
      routes.filter((route) => route.priority === priority),
      random,
    ),
  );
}

/** A route whose equals have weights counts as 1 without one. */
function shared<Route extends Ranked>(equals: Route[], random: () => number): Route[] {
  if (equals.length < 2 || equals.every(({ weight }) => weight === null)) return equals;
  // The smallest of exponentially distributed draws falls on each in proportion to its weight.
  const draws = new Map(equals.map((route) => [route, drawOf(route.weight ?? 1, random)]));
  return equals.toSorted((one, other) => (draws.get(one) ?? 0) - (draws.get(other) ?? 0));
}

function drawOf(weight: number, random: () => number): number {
  return weight === 0 ? Number.POSITIVE_INFINITY : -Math.log(1 - random()) / weight;
}
