import type { CatalogList, CatalogModel, CatalogRegistry, RegionList } from "#contract/catalog.ts";
import type { Catalog } from "./catalog.ts";
import { type Compiled, compile } from "./compile.ts";
import { Deployments } from "./deployments.ts";
import { ownEntries } from "./entries.ts";
import type { Entry, EntrySource } from "./entry.ts";
import { liveEtag } from "./etag.ts";
import { matches } from "./filter.ts";
import { pickRegion } from "./pick-region.ts";
import { regionEntries } from "./regions.ts";
import { registryOf, type StaticModel, staticModel } from "./registry.ts";

interface Options {
  source?: EntrySource;
  now?: () => number;
}

/** What follows from the entries: computed when they change, and then only read. */
interface Snapshot {
  models: readonly StaticModel[];
  byId: ReadonlyMap<string, StaticModel>;
  registry: CatalogRegistry;
  /** By operation id. */
  compiled: ReadonlyMap<string, Compiled>;
}

/** The catalog of this gateway: the entries with their compiled schemas, registry and breakers. */
export function createCatalog({ source = ownEntries, now = Date.now }: Options = {}): Catalog {
  const deployments = new Deployments(now);
  let current = snapshotOf(source.load());

  const liveModel = (id: string): CatalogModel | null => {
    const model = current.byId.get(id);
    return model ? deployments.live(model) : null;
  };

  return {
    use(entries) {
      current = snapshotOf(entries);
    },
    list(filter = {}): CatalogList {
      const { models, registry } = current;
      const data = models.filter((model) => matches(model, filter)).map((model) => deployments.live(model));
      return { object: "list", data, registry };
    },
    get etag() {
      return liveEtag(current.registry.sha256, deployments.troubles());
    },
    model: liveModel,
    operation(modelId, apiType) {
      const model = liveModel(modelId);
      const operation = model?.operations.find((candidate) => candidate.api_type === apiType);
      const rules = operation && current.compiled.get(operation.id);
      return model && operation && rules ? { model, operation, ...rules } : null;
    },
    regions(): RegionList {
      return { object: "list", data: regionEntries(current.models, deployments) };
    },
    pickRegion: (model, asked, allowed) => pickRegion(deployments, model, asked, allowed),
    admits: (modelId, region) => deployments.breaker(modelId, region).admit(),
    report(modelId, region, outcome) {
      deployments.breaker(modelId, region).report(outcome);
    },
  };
}

/** What was computed from an entry; an entry that stays is not compiled again. */
const computed = new WeakMap<Entry, { model: StaticModel; compiled: [string, Compiled][] }>();

function computedOf(entry: Entry): { model: StaticModel; compiled: [string, Compiled][] } {
  const known = computed.get(entry);
  if (known) return known;
  const fresh = {
    model: staticModel(entry),
    compiled: entry.operations.map((operation): [string, Compiled] => [
      `${entry.id}:${operation.api_type}`,
      compile(operation),
    ]),
  };
  computed.set(entry, fresh);
  return fresh;
}

function snapshotOf(entries: readonly Entry[]): Snapshot {
  const all = entries.map(computedOf);
  const models = all.map(({ model }) => model);
  return {
    models,
    byId: new Map(models.map((model) => [model.id, model])),
    registry: registryOf(models),
    compiled: new Map(all.flatMap(({ compiled }) => compiled)),
  };
}
