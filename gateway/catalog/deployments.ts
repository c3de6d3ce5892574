import type { CatalogModel, RegionName } from "#contract/catalog.ts";
import { Breaker, type DeploymentStatus } from "#gateway/core/breaker.ts";
import type { StaticModel } from "./registry.ts";

/** The breakers of all deployments, and the live fields of an entry that follow from them. */
export class Deployments {
  private readonly breakers = new Map<string, Breaker>();
  private readonly views = new WeakMap<StaticModel, { statuses: DeploymentStatus[]; view: CatalogModel }>();
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

  /** The entry as it is published now: the same object while no status changes, since every request reads it. */
  live(model: StaticModel): CatalogModel {
    const statuses = model.available_regions.map((region) => this.status(model.id, region));
    const known = this.views.get(model);
    if (known?.statuses.every((status, index) => status === statuses[index])) return known.view;
    const view = liveView(model, statuses);
    this.views.set(model, { statuses, view });
    return view;
  }
}

function liveView(model: StaticModel, statuses: DeploymentStatus[]): CatalogModel {
  const deployments = model.available_regions.map((region, index) => ({
    gateway_region: region,
    status: statuses[index] ?? "healthy",
  }));
  const healthy = model.available_regions.filter((_, index) => statuses[index] !== "unhealthy");
  const allHealthy = statuses.every((status) => status === "healthy");
  return {
    ...model,
    gateway_status: healthy.length === 0 ? "unavailable" : allHealthy ? "live" : "degraded",
    healthy_regions: healthy,
    operations: model.operations.map((operation) => ({ ...operation, deployments })),
  };
}
