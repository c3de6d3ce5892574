import type { CatalogModel, RegionName } from "#contract/catalog.ts";
import { Breaker, type DeploymentStatus } from "./breaker.ts";
import type { StaticModel } from "./registry.ts";

/** The breakers of all deployments, and the live fields of an entry that follow from them. */
export class Deployments {
  private readonly breakers = new Map<string, Breaker>();
  private readonly now: () => number;

  constructor(now: () => number = Date.now) {
    this.now = now;
  }

  breaker(modelId: string, region: RegionName): Breaker {
    const key = `${modelId} ${region}`;
    const known = this.breakers.get(key);
    if (known) return known;
    const fresh = new Breaker(this.now);
    this.breakers.set(key, fresh);
    return fresh;
  }

  status(modelId: string, region: RegionName): DeploymentStatus {
    return this.breakers.get(`${modelId} ${region}`)?.status ?? "healthy";
  }

  /** Every deployment that is not healthy now, as text; empty when all are. */
  troubles(): string {
    return [...this.breakers]
      .filter(([, breaker]) => breaker.status !== "healthy")
      .map(([key, breaker]) => `${key} ${breaker.status}`)
      .sort()
      .join("\n");
  }

  /** The entry as it is published now. */
  live(model: StaticModel): CatalogModel {
    const regions = model.available_regions;
    const healthy = regions.filter((region) => this.status(model.id, region) !== "unhealthy");
    const allHealthy = regions.every((region) => this.status(model.id, region) === "healthy");
    return {
      ...model,
      gateway_status: healthy.length === 0 ? "unavailable" : allHealthy ? "live" : "degraded",
      healthy_regions: healthy,
      operations: model.operations.map((operation) => ({
        ...operation,
        deployments: regions.map((region) => ({
          gateway_region: region,
          status: this.status(model.id, region),
        })),
      })),
    };
  }
}
