import type { RegionName } from "#contract/catalog.ts";
import type { ApiType } from "#contract/catalog-constants.ts";
import type { RouteTable } from "#contract/operator/routes.ts";

export interface ServedOperation {
  model: string;
  apiType: ApiType;
  upstreamModel: string;
  regions: RegionName[];
}

/** The operations that a provider runs, each with the regions in which it does. */
export function servedBy(provider: string, { data }: RouteTable): ServedOperation[] {
  const found = new Map<string, ServedOperation>();
  for (const route of data.filter((one) => one.provider === provider))
    for (const { model, api_type: apiType, region } of route.serves) {
      const known = found.get(`${model} ${apiType}`);
      if (known && !known.regions.includes(region)) known.regions.push(region);
      if (!known)
        found.set(`${model} ${apiType}`, {
          model,
          apiType,
          upstreamModel: route.upstream_model,
          regions: [region],
        });
    }
  return [...found.values()];
}
