import type { CatalogRegistry } from "#contract/catalog.ts";
import { everyone, isSeenBy, type OfferedEntry, type OwnChange, type Viewer } from "./offered-entry.ts";
import { registryOf, revisionAfter, type StaticModel, staticModel } from "./registry.ts";

/** What some viewers see, computed when the entries change or the first of them looks. */
export interface Sight {
  /** What lists show. */
  listed: readonly StaticModel[];
  /** Also what lists leave out. */
  byId: ReadonlyMap<string, StaticModel>;
  registry: CatalogRegistry;
  /** What operators set of entries, which is no part of the registry's sha256; empty when nothing is set. */
  settings: string;
}

/** More kinds of viewers than this are forgotten; they are computed again when they look. */
const mostSights = 1_000;

/** The entries that an installation offers, and who sees which of them. */
export class VisibleEntries {
  readonly #offered: readonly OfferedEntry[];
  readonly #changes: readonly OwnChange[];
  readonly #restricted: readonly OfferedEntry[];
  readonly #sights = new Map<string, Sight>();

  /** `changes` also of entries that are gone: they count in the registry's revision. */
  constructor(offered: readonly OfferedEntry[], changes: readonly OwnChange[]) {
    this.#offered = offered;
    this.#changes = changes;
    this.#restricted = offered.filter(({ accounts }) => accounts !== null);
  }

  /** Whether accounts see different entries. */
  get isPersonal(): boolean {
    return this.#restricted.length > 0;
  }

  /** Viewers who see the same entries share one. */
  seenBy(viewer: Viewer): Sight {
    const seen = this.#restricted.filter((offered) => isSeenBy(offered, viewer)).map(({ entry }) => entry.id);
    const key = viewer === everyone ? "everyone" : seen.join(" ");
    const known = this.#sights.get(key);
    if (known) return known;
    if (this.#sights.size >= mostSights) this.#sights.clear();
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
      // Names and visibility do not move the sha256 of what the specification publishes.
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

/** What changed for others does not show. */
function lastOf(changes: readonly OwnChange[], viewer: Viewer): OwnChange | null {
  const seen = changes.filter((change) => isSeenBy(change, viewer));
  return seen.sort((one, other) => one.number - other.number).at(-1) ?? null;
}
