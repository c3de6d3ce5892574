import type { CatalogModel, RegionEntry } from "#contract/catalog.ts";

/** A deployment that refuses or loses requests. */
export interface TroubledDeployment {
  modelId: string;
  apiType: string;
  region: string;
  status: string;
}

export interface RegionRow extends RegionEntry {
  /** Operations that run in this region. Null while the catalog is unknown. */
  deployments: number | null;
  troubled: TroubledDeployment[];
}

/** Each region with the deployments that a provider or the sandbox runs. Unhealthy regions come first. */
export function regionRows(
  regions: readonly RegionEntry[],
  models: readonly CatalogModel[] | null,
): RegionRow[] {
  const deployments = models?.flatMap(deploymentsOf) ?? [];
  const rows = regions.map((region) => {
    const here = deployments.filter((deployment) => deployment.region === region.id);
    return {
      ...region,
      deployments: models ? here.length : null,
      troubled: here.filter((deployment) => deployment.status !== "healthy"),
    };
  });
  const trouble = (row: RegionRow) => (row.status === "healthy" ? 0 : 1_000) + row.troubled.length;
  return rows.sort((one, other) => trouble(other) - trouble(one));
}

function deploymentsOf(model: CatalogModel): TroubledDeployment[] {
  return model.operations.flatMap((operation) =>
    operation.deployments
      .filter(({ svc_served_by: server }) => server !== "none")
      .map(({ gateway_region, status }) => ({
        modelId: model.id,
        apiType: operation.api_type,
        region: gateway_region,
        status,
      })),
  );
}
