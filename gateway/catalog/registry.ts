import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import type { CatalogModel, CatalogOperation, CatalogRegistry } from "#contract/catalog.ts";
import type { Entry, EntryOperation } from "./entry.ts";

/** Raise `number` (or the date, from 1) with every change of the entries; a test compares it with the sha256. */
const revision = { date: "2026-11-18", number: 2 };
const revisionText = `${revision.date}.${revision.number}`;

const catalogSchemaVersion = 2;

/** Entries without the facts that move while the gateway runs: those must not move the sha256. */
export type StaticModel = Omit<CatalogModel, "gateway_status" | "healthy_regions" | "operations"> & {
  operations: (Omit<CatalogOperation, "deployments"> & { deployments: { gateway_region: string }[] })[];
};

export function staticModel(entry: Entry): StaticModel {
  const { regions, released_regions, operations, ...published } = entry;
  return {
    ...published,
    object: "model",
    created: Date.parse(entry.released_at) / 1000,
    owned_by: "svc",
    api_types: operations.map((operation) => operation.api_type),
    available_regions: [...regions],
    configured_regions: [...regions],
    gateway_regions: [...regions],
    released_regions: [...(released_regions ?? regions)],
    region_discovery: "/v1/regions",
    registry_revision: revisionText,
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

/** The registry object of the list envelope; counts, window and sha256 come from the entries. */
export function registryOf(models: readonly StaticModel[]): CatalogRegistry {
  const relations = models.reduce((sum, model) => sum + model.available_regions.length, 0);
  const releases = models.flatMap((model) => [model.released_at, model.latest_release_at]).sort();
  return {
    schema_version: catalogSchemaVersion,
    revision: revisionText,
    published_at: `${revision.date}T00:00:00.000Z`,
    read_mode: "v2",
    model_count: models.length,
    excluded_model_count: 0,
    official_model_count: models.length,
    region_model_relations: relations,
    source_region_model_relations: relations,
    curation_updated_at: revision.date,
    source_updated_at: releases.at(-1) ?? revision.date,
    window_start: releases[0] ?? revision.date,
    window_end: revision.date,
    sha256: createHash("sha256").update(canonical(models)).digest("hex"),
  };
}

/** RFC 8785 canonical JSON. */
export function canonical(value: unknown): string {
  return canonicalize(value) ?? "null";
}
