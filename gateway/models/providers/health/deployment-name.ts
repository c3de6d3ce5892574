import type { RegionName } from "#contract/catalog.ts";

/** A model at a provider in a region. */
export interface DeploymentName {
  provider: string;
  model: string;
  region: RegionName;
}
