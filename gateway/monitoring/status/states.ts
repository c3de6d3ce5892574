import type { CatalogModel, RegionName } from "#contract/catalog.ts";
import type { ServiceState } from "#contract/status-constants.ts";

/** How a model does now in one of its regions; a model that nobody runs there is not in it. */
interface Place {
  model: string;
  region: RegionName;
  status: string;
}

/** Where the models run, by what the breakers say of them. */
export function placesOf(models: readonly CatalogModel[]): Place[] {
  return models.flatMap(({ id, operations }) => {
    const here = new Map<RegionName, string>();
    for (const { deployments } of operations)
      for (const { gateway_region: region, status, svc_served_by: server } of deployments)
        if (server !== "none") here.set(region, status);
    return [...here].map(([region, status]) => ({ model: id, region, status }));
  });
}

/** How they do together. */
export function stateOf(places: readonly Place[]): ServiceState {
  if (places.every(({ status }) => status === "healthy")) return "operational";
  return places.every(({ status }) => status === "unhealthy") ? "down" : "degraded";
}
