import type { CatalogRegistry } from "#contract/catalog.ts";
import { everyone, isSeenBy, type OfferedEntry, type OwnChange, type Viewer } from "./offered.ts";
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
export class Offer {
  readonly #offered: readonly OfferedEntry[];
  readonly #change: OwnChange | null;
  readonly #restricted: readonly OfferedEntry[];
  readonly #sights = new Map<string, Sight>();

  constructor(offered: readonly OfferedEntry[], change: OwnChange | null) {
    this.#offered = offered;
    this.#change = change;
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
    const fresh = sightOf(this.#offered, viewer, this.#change);
    this.#sights.set(key, fresh);
    return fresh;
  }
}

function sightOf(offered: readonly OfferedEntry[], viewer: Viewer, change: OwnChange | null): Sight {
  const seen = offered.filter((one) => isSeenBy(one, viewer));
  const own = seen.some(({ revision }) => revision !== null) ? change : null;
  const revision = revisionAfter(own);
  const models = seen.map((one) => ({
    hidden: one.hidden,
    model: staticModel(one.entry, { revision, displayName: one.displayName }),
  }));
  const listed = models.filter(({ hidden }) => !hidden).map(({ model }) => model);
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
