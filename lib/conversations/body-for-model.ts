import type { CatalogModel } from "#contract/catalog.ts";
import type { JsonObject } from "../schema-form/json.ts";

/** The request of one model as another one takes it: by its own name, in a region that it has. */
export function bodyForModel({ id, available_regions: regions }: CatalogModel, body: JsonObject): JsonObject {
  const { region, ...rest } = body;
  const known: readonly unknown[] = regions;
  return { ...rest, ...(region !== undefined && known.includes(region) && { region }), model: id };
}
