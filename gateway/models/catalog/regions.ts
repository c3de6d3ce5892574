import { type ApiType, apiTypes, type RegionEntry } from "#contract/catalog.ts";
import { regionNames, regionTitle } from "#contract/catalog-constants.ts";
import type { Deployments } from "./deployments.ts";
import type { StaticModel } from "./registry.ts";

/** All regions with what runs there and how well. */
export function regionEntries(models: readonly StaticModel[], deployments: Deployments): RegionEntry[] {
  return regionNames.map((region) => {
    const here = models.filter((model) => model.available_regions.includes(region));
    const statuses = here.map((model) => deployments.status(model.id, region));
    const offered = new Set<ApiType>(here.flatMap((model) => model.api_types));
    return {
      id: region,
      object: "region",
      name: regionTitle(region),
      status: regionStatus(statuses),
      model_count: here.length,
      api_types: apiTypes.filter((apiType) => offered.has(apiType)),
    };
  });
}

function regionStatus(statuses: string[]): RegionEntry["status"] {
  if (statuses.every((status) => status === "healthy")) return "healthy";
  return statuses.every((status) => status === "unhealthy") ? "down" : "degraded";
}
