import type { CatalogModel, CatalogOperation, RegionName } from "#contract/catalog.ts";
import { Breaker, type DeploymentStatus } from "#gateway/platform/core/breaker.ts";
import { allSandbox, type Catalog, type Serving, servedBy, textOfServing } from "./catalog.ts";
import type { StaticModel } from "./registry.ts";

/** The breakers of all deployments, and the live fields of an entry that depend on them. */
export class Deployments {
  /**
   * Nested by model and region, because building joined keys for the look-ups of each request would be
   * slower.
   */
  private readonly breakers = new Map<string, Map<RegionName, Breaker>>();
  private views = new WeakMap<StaticModel, { statuses: DeploymentStatus[]; view: CatalogModel }>();
  private readonly now: () => number;
  private serving = allSandbox;
  private servingText = "";

  constructor(now: () => number = Date.now) {
    this.now = now;
  }

  /** Sets which providers run which operations. */
  setServing(serving: Serving): void {
    this.serving = serving;
    this.servingText = textOfServing(serving);
    this.views = new WeakMap();
  }

  breaker(modelId: string, region: RegionName): Breaker {
    const known = this.breakers.get(modelId)?.get(region);
    if (known) return known;
    const fresh = new Breaker(this.now);
    const ofModel = this.breakers.get(modelId);
    if (ofModel) ofModel.set(region, fresh);
    else this.breakers.set(modelId, new Map([[region, fresh]]));
    return fresh;
  }

  status(modelId: string, region: RegionName): DeploymentStatus {
    return this.breakers.get(modelId)?.get(region)?.status ?? "healthy";
  }

  /** Whether any provider runs one of the model's operations in this region. */
  serves(model: StaticModel, region: RegionName): boolean {
    return isServed(model, region, this.serving);
  }

  /** The ids whose breaker is open in a region, once for each. */
  open(): string[] {
    return [...this.breakers].flatMap(([modelId, regions]) =>
      [...regions.values()].filter(({ status }) => status === "unhealthy").map(() => modelId),
    );
  }

  /** The time until the first of these regions is tried again; 0 when one may be tried now. */
  waitMs(modelId: string, regions: readonly RegionName[]): number {
    const waits = regions.map((region) => (this.breaker(modelId, region).reopensAt ?? 0) - this.now());
    return Math.max(0, Math.min(...waits));
  }

  /**
   * A text that changes with the health of the deployments and with the operations that the sandbox does not
   * run. Empty if all deployments are healthy and the sandbox runs everything.
   */
  troubles(): string {
    const unhealthy = [...this.breakers]
      .flatMap(([modelId, regions]) =>
        [...regions].map(([region, { status }]) => ({ text: `${modelId} ${region} ${status}`, status })),
      )
      .filter(({ status }) => status !== "healthy")
      .map(({ text }) => text)
      .sort()
      .join("\n");
    return unhealthy + this.servingText;
  }

  /**
   * The entry as published now. Returns the same object while no status changes, because every request reads
   * it.
   */
  live(model: StaticModel): CatalogModel {
    const statuses = model.available_regions.map((region) => this.status(model.id, region));
    const known = this.views.get(model);
    if (known?.statuses.every((status, index) => status === statuses[index])) return known.view;
    const view = liveView(model, statuses, this.serving);
    this.views.set(model, { statuses, view });
    return view;
  }
}

/** The region that a request runs in. A requested region is used or refused, never replaced. */
export function pickRegion(
  deployments: Deployments,
  model: CatalogModel,
  asked: string | null,
  allowed: readonly string[] | null,
  probing: Parameters<Catalog["pickRegion"]>[3] = {
    runsTwice: false,
    hasOther: false,
    isRouteFree: () => false,
  },
): ReturnType<Catalog["pickRegion"]> {
  const isAllowed = (region: string) => allowed === null || allowed.includes(region);
  const { runsTwice, hasOther, isRouteFree } = probing;
  const isUsable = (region: RegionName) => {
    const { isPassable, status } = deployments.breaker(model.id, region);
    return isPassable || (status === "degraded" && isRouteFree(region));
  };
  const admits = (region: RegionName, isSpared = hasOther) =>
    isUsable(region) || (runsTwice && isSpared && deployments.breaker(model.id, region).isPassableForSpared);
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
      return {
        code: "region_not_allowed",
        message: `This key may not use the region ${region}. Choose another region, or another key.`,
      };
    if (!admits(region)) {
      const message = `${model.id} has no healthy deployment in ${region} now. Try again later or choose another region.`;
      return { code: "no_healthy_region", message, retryAfterMs: deployments.waitMs(model.id, [region]) };
    }
    return { region };
  }
  const candidates = model.available_regions.filter(isAllowed);
  if (candidates.length === 0)
    return {
      code: "region_not_allowed",
      message: `This key may not use any region of ${model.id}. Use another key or model.`,
    };
  const isSpared = hasOther || candidates.some(isUsable);
  const region = candidates.find((name) => admits(name, isSpared));
  return region
    ? { region }
    : {
        code: "no_healthy_region",
        message: `${model.id} has no healthy region now. Try again later.`,
        retryAfterMs: deployments.waitMs(model.id, candidates),
      };
}

function liveView(model: StaticModel, statuses: DeploymentStatus[], serving: Serving): CatalogModel {
  const healthy = model.available_regions.filter(
    (region, index) => statuses[index] !== "unhealthy" && isServed(model, region, serving),
  );
  const allHealthy = statuses.every((status) => status === "healthy");
  return {
    ...model,
    gateway_status: healthy.length === 0 ? "unavailable" : allHealthy ? "live" : "degraded",
    healthy_regions: healthy,
    operations: model.operations.map((operation) => liveOperation(model, operation, statuses, serving)),
  };
}

function isServed({ operations }: StaticModel, region: RegionName, serving: Serving): boolean {
  return operations.some(({ id }) => servedBy(serving, id, region) !== "none");
}

function liveOperation(
  { available_regions }: StaticModel,
  operation: StaticModel["operations"][number],
  statuses: DeploymentStatus[],
  serving: Serving,
): CatalogOperation {
  const deployments = available_regions.map((region, index) => ({
    gateway_region: region,
    status: statuses[index] ?? "healthy",
    svc_served_by: servedBy(serving, operation.id, region),
  }));
  return { ...operation, deployments };
}
