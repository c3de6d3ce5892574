import { createHash } from "node:crypto";
import type { CatalogModel, RegionList } from "#contract/catalog.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Catalog, CompiledOperation } from "./catalog.ts";
import { compileOnce } from "./compile.ts";
import { Deployments, pickRegion } from "./deployments.ts";
import { ownEntries, templateEntries } from "./entries.ts";
import type { EntrySource } from "./entry.ts";
import { matches } from "./filter.ts";
import { asPublished, type OfferedEntry } from "./offered-entry.ts";
import { regionEntries } from "./regions.ts";
import { countsOf, type StaticModel, staticModel } from "./registry.ts";
import { VisibleEntries } from "./visible-entries.ts";

interface Options {
  source?: EntrySource;
  now?: () => number;
}

/** The catalog of this gateway: the entries with their compiled schemas, registry and breakers. */
export function createCatalog({ source = ownEntries, now = clock.now }: Options = {}): Catalog {
  const deployments = new Deployments(now);
  let visible = new VisibleEntries([], []);
  let byId = new Map<string, OfferedEntry>();
  /** What was compiled of an entry while its model was shown like this. */
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
    pickRegion: (model, asked, allowed) => pickRegion(deployments, model, asked, allowed),
    enter: (modelId, region) => deployments.breaker(modelId, region).enter(),
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
 * The registry's sha256, quoted. The status of a deployment in trouble and what operators set of entries are part of the
 * answer but not of the sha256, so a digest of them follows it.
 */
function liveEtag(sha256: string, troubles: string, settings: string): string {
  if (troubles === "" && settings === "") return `"${sha256}"`;
  const digest = createHash("sha256").update(`${troubles}\n\n${settings}`).digest("hex");
  return `"${sha256}-${digest.slice(0, 12)}"`;
}
