import { createHash } from "node:crypto";
import type { CatalogModel, ReplicateModel } from "#contract/catalog.ts";

/** An entry in the format of Replicate's models. */
export function replicateModel(model: CatalogModel, consoleUrl: string): ReplicateModel {
  const at = model.id.indexOf("/");
  return {
    owner: model.id.slice(0, at),
    name: model.id.slice(at + 1),
    description: model.description ?? model.display_name ?? null,
    visibility: "public",
    url: `${consoleUrl}/catalog/${model.id}`,
    cover_image_url: model.cover_url ?? null,
    latest_version: { id: versionOf(model), created_at: `${model.latest_release_at}T00:00:00.000Z` },
  };
}

/** The version id of an entry; it changes with any of its schemas. */
export function versionOf({ id, operations }: CatalogModel): string {
  const schemas = operations.map(({ api_type, schema_version }) => [api_type, schema_version]);
  return createHash("sha256")
    .update(JSON.stringify([id, schemas]))
    .digest("hex");
}

/**
 * The entry of a version: `namespace/name`, `namespace/name:version`, or only the version id. Null for an
 * unknown or outdated version.
 */
export function modelOfVersion(models: readonly CatalogModel[], version: string): CatalogModel | null {
  const [id, wanted] = version.includes("/") ? version.split(":", 2) : [null, version];
  const found = models.find((model) => (id === null ? versionOf(model) === wanted : model.id === id));
  if (!found || wanted === undefined) return found ?? null;
  return versionOf(found) === wanted ? found : null;
}
