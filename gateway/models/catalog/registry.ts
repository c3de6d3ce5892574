import { createHash } from "node:crypto";
import type { CatalogModel, CatalogOperation, CatalogRegistry, ReplicateModel } from "#contract/catalog.ts";
import { canonicalJson } from "#gateway/platform/core/canonical-json.ts";
import type { Entry, EntryOperation, OwnChange } from "./entry.ts";

/**
 * Increase `number` (or set the date and start from 1) with every change of the entries; a test compares it
 * with the sha256.
 */
const revision = { date: "2026-11-18", number: 3 };

const catalogSchemaVersion = 2;

/**
 * The revision of a registry, with or without operators' entries: `<date>.<n>`; it grows with every change.
 */
export function revisionAfter(change: OwnChange | null): string {
  return `${dateOf(change)}.${revision.number + (change?.number ?? 0)}`;
}

function dateOf(change: OwnChange | null): string {
  const dates = [revision.date, change?.at.toISOString().slice(0, 10) ?? ""];
  return dates.sort().at(-1) ?? revision.date;
}

/** Entries without the facts that change while the gateway runs: those must not change the sha256. */
export type StaticModel = Omit<CatalogModel, "gateway_status" | "healthy_regions" | "operations"> & {
  operations: (Omit<CatalogOperation, "deployments"> & {
    deployments: { gateway_region: string }[];
  })[];
};

interface Around {
  revision: string;
  displayName: string | null;
}

export function staticModel(
  entry: Entry,
  { revision, displayName }: Around = { revision: revisionAfter(null), displayName: null },
): StaticModel {
  const { regions, released_regions, operations, ...published } = entry;
  return {
    ...published,
    ...(displayName !== null && { display_name: displayName }),
    object: "model",
    created: Date.parse(entry.released_at) / 1000,
    owned_by: entry.id.split("/")[0] ?? entry.id,
    api_types: operations.map((operation) => operation.api_type),
    available_regions: [...regions],
    configured_regions: [...regions],
    gateway_regions: [...regions],
    released_regions: [...(released_regions ?? regions)],
    region_discovery: "/v1/regions",
    registry_revision: revision,
    operations: operations.map((operation) => publishedOperation(entry, operation)),
  };
}

function publishedOperation(entry: Entry, operation: EntryOperation): StaticModel["operations"][number] {
  const { internal: _internal, engine: _engine, ...published } = operation;
  return {
    id: `${entry.id}:${operation.api_type}`,
    ...published,
    deployments: entry.regions.map((region) => ({ gateway_region: region })),
  };
}

interface RegistryParts {
  /** The entries in the viewer's lists. */
  listed: readonly StaticModel[];
  /** The entries that the sha256 covers. */
  published: readonly StaticModel[];
  /** The number of entries in the specification. */
  official: number;
  change: OwnChange | null;
}

/** The registry object of the list envelope; counts, window and sha256 are computed from the entries. */
export function registryOf({ listed, published, official, change }: RegistryParts): CatalogRegistry {
  const releases = published.flatMap((model) => [model.released_at, model.latest_release_at]).sort();
  const date = dateOf(change);
  return {
    schema_version: catalogSchemaVersion,
    revision: revisionAfter(change),
    published_at: `${date}T00:00:00.000Z`,
    read_mode: "v2",
    ...countsOf(listed),
    excluded_model_count: published.length - listed.length,
    official_model_count: official,
    source_region_model_relations: countsOf(published).region_model_relations,
    curation_updated_at: date,
    source_updated_at: releases.at(-1) ?? date,
    window_start: releases[0] ?? date,
    window_end: date,
    sha256: createHash("sha256").update(canonicalJson(published)).digest("hex"),
  };
}

/** The counts of the entries that a list shows, also if it is filtered. */
export function countsOf(models: readonly Pick<StaticModel, "available_regions">[]) {
  return {
    model_count: models.length,
    region_model_relations: models.reduce((sum, model) => sum + model.available_regions.length, 0),
  };
}

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
function versionOf({ id, operations }: CatalogModel): string {
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
