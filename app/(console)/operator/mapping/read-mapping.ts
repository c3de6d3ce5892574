import { getModels } from "@/lib/server/gateway/reads";
import { requestRoute } from "@/lib/server/gateway/request";
import "server-only";
import type { CatalogModel } from "#contract/catalog.ts";
import type { OperatorProvider } from "#contract/operator/providers.ts";
import type { RouteTable } from "#contract/operator/routes.ts";
import type { GatewayResult } from "@/lib/gateway/result";

export interface Mapping {
  table: RouteTable;
  providers: OperatorProvider[];
  models: CatalogModel[];
}

/** Everything that the mapping pages need, or the first failure. */
export async function readMapping(): Promise<GatewayResult<Mapping>> {
  const [table, providers, models] = await Promise.all([
    requestRoute("GET /operator/routes"),
    requestRoute("GET /operator/providers"),
    getModels(),
  ]);
  if (!table.ok) return table;
  if (!providers.ok) return providers;
  if (!models.ok) return models;
  return {
    ok: true,
    data: { table: table.data, providers: providers.data.data, models: models.data.data },
  };
}

/** The part of a model that the route editor needs. */
export function mappable({ id, api_types, operations }: CatalogModel) {
  return {
    id,
    apiTypes: api_types,
    fieldNames: [
      ...new Set(operations.flatMap(({ input_schema }) => Object.keys(Object(input_schema.properties)))),
    ].filter((name) => name !== "model"),
  };
}
