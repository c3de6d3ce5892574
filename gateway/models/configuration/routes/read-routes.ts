import type { RouteTarget } from "#contract/operator/routes.ts";
import type { Connection, Mapping } from "#gateway/models/providers/configuration.ts";
import {
  expandRoute,
  type KeyedProvider,
  type RoutableModel,
  type RouteProblem,
  routeProblem,
} from "#gateway/models/providers/file/expand-route.ts";
import { sentence } from "#gateway/platform/core/sentences.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { asc } from "#gateway/platform/database/drizzle.ts";
import { routes } from "#gateway/platform/database/schema.ts";

export type RouteRow = typeof routes.$inferSelect;

/** A route of the console, resolved against the providers file and the current connections. */
export interface ReadRoute {
  row: RouteRow;
  /** The mappings that are in force, without those that the file overrides. */
  mappings: Mapping[];
  overruled: Mapping[];
  problems: RouteProblem[];
}

export function readRouteRows(queries: Queries): Promise<RouteRow[]> {
  return queries.select().from(routes).orderBy(asc(routes.position), asc(routes.id));
}

/** If the file and a route map the same operation and region, the file wins. */
export function resolveRoutes(
  rows: readonly RouteRow[],
  ofFile: readonly Mapping[],
  connections: readonly Connection[],
  models: readonly RoutableModel[],
): ReadRoute[] {
  const decided = new Set(ofFile.map(nameOf));
  return rows.map((row) => {
    const { mappings, problems } = expandRoute(
      row.entry,
      keyedProvider(connections, row.entry.provider),
      models,
    );
    const byFile = (mapping: Mapping) => decided.has(nameOf(mapping));
    return {
      row,
      mappings: mappings.filter((mapping) => !byFile(mapping)),
      overruled: mappings.filter(byFile),
      problems: connectionProblems(connections, row.entry.provider).concat(problems),
    };
  });
}

/** The provider as a route needs it; null if it is not connected. */
export function keyedProvider(connections: readonly Connection[], name: string): KeyedProvider | null {
  const found = connections.find((connection) => connection.name === name && !connection.isGone);
  return found ? { protocol: found.entry.protocol, regions: [...found.keys.keys()] } : null;
}

export function connectionProblems(connections: readonly Connection[], name: string): RouteProblem[] {
  const found = connections.find((connection) => connection.name === name && !connection.isGone);
  if (!found) return [routeProblem(".provider", sentence("route_provider_unknown", { provider: name }))];
  return found.isLeaving
    ? [routeProblem(".provider", sentence("route_provider_leaving", { provider: name }))]
    : [];
}

export function targetOf({ modelId, apiType, region }: Mapping): RouteTarget {
  return { model: modelId, api_type: apiType, region };
}

function nameOf({ modelId, apiType, region }: Mapping): string {
  return `${modelId}:${apiType} ${region}`;
}
