import type { CatalogModel, RegionName } from "#contract/catalog.ts";
import type { Catalog } from "./catalog.ts";
import type { Deployments } from "./deployments.ts";

/** The region a request runs in. An asked region is used or refused, never moved. */
export function pickRegion(
  deployments: Deployments,
  model: CatalogModel,
  asked: string | null,
  allowed: readonly string[] | null,
): ReturnType<Catalog["pickRegion"]> {
  const isAllowed = (region: string) => allowed === null || allowed.includes(region);
  const admits = (region: RegionName) => deployments.breaker(model.id, region).admit();
  if (asked !== null) {
    const region = model.available_regions.find((name) => name === asked);
    if (!region) {
      const choices = model.available_regions.join(", ");
      return {
        code: "region_not_available",
        message: `${model.id} does not run in "${asked}". Choose one of: ${choices}.`,
      };
    }
    if (!isAllowed(region))
      return { code: "region_not_allowed", message: `This key may not use the region ${region}.` };
    if (!admits(region)) {
      const message = `${model.id} has no healthy deployment in ${region} now. Try again later or choose another region.`;
      return { code: "no_healthy_region", message };
    }
    return { region };
  }
  const candidates = model.available_regions.filter(isAllowed);
  if (candidates.length === 0)
    return { code: "region_not_allowed", message: `This key may use none of the regions of ${model.id}.` };
  const region = candidates.find(admits);
  return region
    ? { region }
    : { code: "no_healthy_region", message: `${model.id} has no healthy region now. Try again later.` };
}
