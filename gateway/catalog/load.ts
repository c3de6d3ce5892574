import type { CatalogList, CatalogModel, RegionList } from "#contract/catalog.ts";
import type { Catalog } from "./catalog.ts";
import { type Compiled, compile } from "./compile.ts";
import { Deployments } from "./deployments.ts";
import { ownEntries } from "./entries.ts";
import type { Entry, EntrySource } from "./entry.ts";
import { liveEtag } from "./etag.ts";
import { matches } from "./filter.ts";
import { pickRegion } from "./pick-region.ts";
import { regionEntries } from "./regions.ts";
import { registryOf, staticModel } from "./registry.ts";

interface Options {
  source?: EntrySource;
  now?: () => number;
}

/** The catalog of this gateway: the entries of a source with their compiled schemas, registry and breakers. */
export function createCatalog({ source = ownEntries, now = Date.now }: Options = {}): Catalog {
  const entries = source.load();
  const models = entries.map(staticModel);
  const registry = registryOf(models);
  const deployments = new Deployments(now);
  const byId = new Map(models.map((model) => [model.id, model]));
  const compiled = compileAll(entries);

  const liveModel = (id: string): CatalogModel | null => {
    const model = byId.get(id);
    return model ? deployments.live(model) : null;
  };

  return {
    list(filter = {}): CatalogList {
      const data = models.filter((model) => matches(model, filter)).map((model) => deployments.live(model));
      return { object: "list", data, registry };
    },
    get etag() {
      return liveEtag(registry.sha256, deployments.troubles());
    },
    model: liveModel,
    operation(modelId, apiType) {
      const model = liveModel(modelId);
      const operation = model?.operations.find((candidate) => candidate.api_type === apiType);
      const rules = operation && compiled.get(operation.id);
      return model && operation && rules ? { model, operation, ...rules } : null;
    },
    regions(): RegionList {
      return { object: "list", data: regionEntries(models, deployments) };
    },
    pickRegion: (model, asked, allowed) => pickRegion(deployments, model, asked, allowed),
    admits: (modelId, region) => deployments.breaker(modelId, region).admit(),
    report(modelId, region, outcome) {
      deployments.breaker(modelId, region).report(outcome);
    },
  };
}

/** Compiled schemas by operation id. */
function compileAll(entries: readonly Entry[]): Map<string, Compiled> {
  return new Map(
    entries.flatMap((entry) =>
      entry.operations.map((operation) => [`${entry.id}:${operation.api_type}`, compile(operation)]),
    ),
  );
}
