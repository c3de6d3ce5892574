import { type ApiType, apiTypes, type RegionEntry, type RegionName, regionNames } from "#contract/catalog.ts";
import type { Deployments } from "./deployments.ts";
import type { StaticModel } from "./registry.ts";

const names: Record<RegionName, string> = {
  "cn-beijing": "Beijing",
  "cn-hong-kong": "Hong Kong",
  "eu-frankfurt": "Frankfurt",
  "jp-tokyo": "Tokyo",
  "sg-singapore": "Singapore",
  "us-oregon": "Oregon",
  "us-virginia": "Virginia",
};

/** The name of a region by its id; an unknown id is its own name. */
export function regionTitle(id: string): string {
  return Object.hasOwn(names, id) ? names[id as RegionName] : id;
}

/** All regions with what runs there and how well. */
export function regionEntries(models: readonly StaticModel[], deployments: Deployments): RegionEntry[] {
  return regionNames.map((region) => {
    const here = models.filter((model) => model.available_regions.includes(region));
    const statuses = here.map((model) => deployments.status(model.id, region));
    const offered = new Set<ApiType>(here.flatMap((model) => model.api_types));
    return {
      id: region,
      object: "region",
      name: names[region],
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
