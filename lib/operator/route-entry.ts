import type { ApiType } from "#contract/catalog-constants.ts";
import { type RouteReason, usualRouteReasons } from "#contract/operator/constants.ts";
import type { OperatorRoute, RouteEntry } from "#contract/operator/routes.ts";

/** A route as it is written, without what the gateway says about it. */
export function entryOf(route: OperatorRoute): RouteEntry {
  const { models, api_types, regions, provider, upstream_model, priority, weight, path, fields } = route;
  const { go_on_when } = route;
  return {
    models,
    provider,
    upstream_model,
    priority,
    ...(weight !== null && { weight }),
    ...(api_types && { api_types }),
    ...(regions && { regions }),
    ...(path && { path }),
    ...(fields && { fields }),
    ...(!isUsual(go_on_when) && { go_on_when }),
  };
}

/** Whether a route goes on as one does that says nothing about it. */
export function isUsual(reasons: readonly RouteReason[]): boolean {
  return (
    reasons.length === usualRouteReasons.length &&
    usualRouteReasons.every((reason) => reasons.includes(reason))
  );
}

/** Where one operation runs, in the order in which it is tried. */
export interface MappedOperation {
  model: string;
  apiType: ApiType;
  chain: {
    routeId: string;
    provider: string;
    upstreamModel: string;
    weight: number | null;
    regions: string[];
  }[];
}

/** The routes that serve each operation, first the one that is tried first. */
export function operationsOf(
  models: readonly { id: string; api_types: readonly ApiType[] }[],
  routes: readonly OperatorRoute[],
): MappedOperation[] {
  const inOrder = routes.toSorted((first, second) => first.priority - second.priority);
  return models.flatMap(({ id, api_types }) =>
    api_types.map((apiType) => ({
      model: id,
      apiType,
      chain: inOrder.flatMap((route) => {
        const regions = route.serves
          .filter((target) => target.model === id && target.api_type === apiType)
          .map((target) => target.region);
        if (regions.length === 0) return [];
        const { id: routeId, provider, upstream_model: upstreamModel, weight } = route;
        return [{ routeId, provider, upstreamModel, weight, regions }];
      }),
    })),
  );
}
