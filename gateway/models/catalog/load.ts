import { createHash } from "node:crypto";
import {
  type ApiType,
  apiTypes,
  type CatalogModel,
  type CatalogRegistry,
  type RegionEntry,
  type RegionList,
} from "#contract/catalog.ts";
import { regionNames, regionTitle } from "#contract/catalog-constants.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { type Catalog, type CompiledOperation, matches } from "./catalog.ts";
import { compileOnce } from "./compile.ts";
import { Deployments, pickRegion } from "./deployments.ts";
import { ownEntries, templateEntries } from "./entries.ts";
import {
  asPublished,
  type EntrySource,
  everyone,
  isSeenBy,
  type OfferedEntry,
  type OwnChange,
  type Viewer,
} from "./entry.ts";
import { countsOf, registryOf, revisionAfter, type StaticModel, staticModel } from "./registry.ts";

interface Options {
  source?: EntrySource;
  now?: () => number;
}

/** This gateway's catalog: the entries with their compiled schemas, registry and breakers. */
export function createCatalog({ source = ownEntries, now = clock.now }: Options = {}): Catalog {
  const deployments = new Deployments(now);
  let visible = new VisibleEntries([], []);
  let byId = new Map<string, OfferedEntry>();
  /** The compiled operations of an entry, valid while its public model stays the same. */
  const compiled = new WeakMap<
    OfferedEntry,
    { live: CatalogModel; byType: Map<string, CompiledOperation> }
  >();

  const compiledOf = (
    offered: OfferedEntry,
    model: StaticModel,
    apiType: string,
  ): CompiledOperation | null => {
    const live = deployments.live(model);
    let known = compiled.get(offered);
    if (known?.live !== live) {
      known = { live, byType: new Map() };
      compiled.set(offered, known);
    }
    const of = known.byType.get(apiType) ?? compile(offered, live, apiType);
    if (of) known.byType.set(apiType, of);
    return of;
  };

  const compile = (offered: OfferedEntry, live: CatalogModel, apiType: string): CompiledOperation | null => {
    const operation = live.operations.find((candidate) => candidate.api_type === apiType);
    const rules = offered.entry.operations.find((candidate) => candidate.api_type === apiType);
    if (!operation || !rules) return null;
    return { model: live, operation, revision: offered.revision, ...compileOnce(rules) };
  };

  const catalog: Catalog = {
    use(offered, changes) {
      visible = new VisibleEntries(offered, changes);
      byId = new Map(offered.map((one) => [one.entry.id, one]));
    },
    setServing: (serving) => deployments.setServing(serving),
    list(filter = {}, viewer = null) {
      const { listed, registry } = visible.seenBy(viewer);
      const data = listed.filter((model) => matches(model, filter)).map((model) => deployments.live(model));
      return { object: "list" as const, data, registry: { ...registry, ...countsOf(data) } };
    },
    operationsOfKind(apiType) {
      const all = (models: readonly CatalogModel[]) =>
        models.flatMap(({ operations }) => operations).filter((operation) => operation.api_type === apiType);
      const listed = all(catalog.list().data);
      return listed.length > 0
        ? listed
        : all(templateEntries.map((entry) => deployments.live(staticModel(entry))));
    },
    sightOf: (viewer = null) => visible.seenBy(viewer),
    etag(viewer = null) {
      const { registry, settings } = visible.seenBy(viewer);
      return liveEtag(registry.sha256, deployments.troubles(), settings);
    },
    get isPersonal() {
      return visible.isPersonal;
    },
    has: (id, viewer = null) => visible.seenBy(viewer).byId.has(id),
    model(id, viewer = null) {
      const model = visible.seenBy(viewer).byId.get(id);
      return model ? deployments.live(model) : null;
    },
    operation(modelId, apiType, viewer = null) {
      const model = visible.seenBy(viewer).byId.get(modelId);
      const offered = byId.get(modelId);
      return model && offered ? compiledOf(offered, model, apiType) : null;
    },
    operationOf: (offered, apiType) => compiledOf(offered, modelOnce(offered), apiType),
    regions(viewer = null): RegionList {
      return { object: "list", data: regionEntries(visible.seenBy(viewer).listed, deployments) };
    },
    pickRegion: (...asked) => pickRegion(deployments, ...asked),
    enter: (modelId, region, ...asked) => deployments.breaker(modelId, region).enter(...asked),
    report(modelId, region, outcome) {
      deployments.breaker(modelId, region).report(outcome);
    },
  };
  catalog.use(source.load().map(asPublished), []);
  return catalog;
}

const models = new WeakMap<OfferedEntry, StaticModel>();

function modelOnce(offered: OfferedEntry): StaticModel {
  const known = models.get(offered);
  if (known) return known;
  const fresh = staticModel(offered.entry);
  models.set(offered, fresh);
  return fresh;
}

/**
 * The registry's sha256 in quotes. Deployments in trouble and operators' settings affect the answer but not
 * the sha256, so a digest of them is appended.
 */
function liveEtag(sha256: string, troubles: string, settings: string): string {
  if (troubles === "" && settings === "") return `"${sha256}"`;
  const digest = createHash("sha256").update(`${troubles}\n\n${settings}`).digest("hex");
  return `"${sha256}-${digest.slice(0, 12)}"`;
}

/**
 * The entries that a group of viewers sees. Computed when the entries change, or when the first of these
 * viewers reads them.
 */
interface Sight {
  /** The entries in lists. */
  listed: readonly StaticModel[];
  /** Also contains entries that lists hide. */
  byId: ReadonlyMap<string, StaticModel>;
  registry: CatalogRegistry;
  /**
   * Operators' settings of entries, which are not part of the registry's sha256; empty when nothing is set.
   */
  settings: string;
}

/** Beyond this number, the entries of a group of viewers are dropped and computed again when needed. */
const maxSights = 1_000;

/** The entries of this installation, and who sees which of them. */
class VisibleEntries {
  readonly #offered: readonly OfferedEntry[];
  readonly #changes: readonly OwnChange[];
  readonly #restricted: readonly OfferedEntry[];
  readonly #sights = new Map<string, Sight>();

  /** `changes` includes deleted entries, because they count in the registry's revision. */
  constructor(offered: readonly OfferedEntry[], changes: readonly OwnChange[]) {
    this.#offered = offered;
    this.#changes = changes;
    this.#restricted = offered.filter(({ accounts }) => accounts !== null);
  }

  /** Whether accounts see different entries. */
  get isPersonal(): boolean {
    return this.#restricted.length > 0;
  }

  /** Viewers who see the same entries share one object. */
  seenBy(viewer: Viewer): Sight {
    const seen = this.#restricted.filter((offered) => isSeenBy(offered, viewer)).map(({ entry }) => entry.id);
    const key = viewer === everyone ? "everyone" : seen.join(" ");
    const known = this.#sights.get(key);
    if (known) return known;
    if (this.#sights.size >= maxSights) this.#sights.clear();
    const fresh = sightOf(this.#offered, viewer, this.#changes);
    this.#sights.set(key, fresh);
    return fresh;
  }
}

function sightOf(offered: readonly OfferedEntry[], viewer: Viewer, changes: readonly OwnChange[]): Sight {
  const seen = offered.filter((one) => isSeenBy(one, viewer));
  const own = seen.some(({ revision }) => revision !== null) ? lastOf(changes, viewer) : null;
  const revision = revisionAfter(own);
  const models = seen.map((one) => ({
    hidden: one.hidden,
    model: staticModel(one.entry, { revision, displayName: one.displayName }),
  }));
  const listed = models.filter(({ hidden }) => !hidden || viewer === everyone).map(({ model }) => model);
  const published = offered.filter((one) => one.revision === null || seen.includes(one));
  return {
    listed,
    byId: new Map(models.map(({ model }) => [model.id, model])),
    registry: registryOf({
      listed,
      // Names and visibility must not change the sha256 of the specification's entries.
      published: published.map(({ entry }) => staticModel(entry, { revision, displayName: null })),
      official: offered.filter((one) => one.revision === null).length,
      change: own,
    }),
    settings: published
      .filter((one) => one.displayName !== null || one.hidden || !seen.includes(one))
      .map((one) => `${one.entry.id} ${one.hidden || !seen.includes(one)} ${one.displayName}`)
      .join("\n"),
  };
}

/** Changes that only other accounts see are left out. */
function lastOf(changes: readonly OwnChange[], viewer: Viewer): OwnChange | null {
  const seen = changes.filter((change) => isSeenBy(change, viewer));
  return seen.sort((one, other) => one.number - other.number).at(-1) ?? null;
}

/** All regions, with the models that a provider or the sandbox runs there, and their health. */
function regionEntries(models: readonly StaticModel[], deployments: Deployments): RegionEntry[] {
  return regionNames.map((region) => {
    const here = models.filter(
      (model) => model.available_regions.includes(region) && deployments.serves(model, region),
    );
    const statuses = here.map((model) => deployments.status(model.id, region));
    const offered = new Set<ApiType>(here.flatMap((model) => model.api_types));
    return {
      id: region,
      object: "region",
      name: regionTitle(region),
      status: regionStatus(statuses),
      model_count: here.length,
      api_types: apiTypes.filter((apiType) => offered.has(apiType)),
    };
  });
}

function regionStatus(statuses: string[]): RegionEntry["status"] {
  if (statuses.every((status) => status === "healthy")) return "healthy";
  return statuses.every((status) => status === "unhealthy") ? "down" : "degraded";
}
