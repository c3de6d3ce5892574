import {
  type Component,
  type ComponentsByKind,
  componentsByKind,
  componentsOfKind,
} from "#contract/money/components.ts";
import type { PriceKind } from "#contract/money/constants.ts";
import { decimalOf } from "#contract/money/decimal.ts";
import type { PriceComponent } from "#contract/operator/prices.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";
import { markups, prices } from "#gateway/platform/database/schema.ts";

export interface PriceVersion {
  id: string;
  accountId: string | null;
  model: string;
  apiType: string;
  provider: string | null;
  region: string | null;
  /** Null: the prices file no longer sets this price. */
  components: readonly PriceComponent[] | null;
  source: "console" | "file";
  effectiveAtMs: number;
}

export interface MarkupVersion {
  id: string;
  accountId: string | null;
  /** A decimal number. */
  percent: string;
  effectiveAtMs: number;
}

/** A version in force at some time. */
export interface PriceInForce {
  id: string;
  components: ComponentsByKind;
}

export interface MarkupInForce {
  id: string;
  percent: bigint;
}

export interface RunPlace {
  model: string;
  apiType: string;
  provider: string;
  region: string;
}

/** A snapshot of this installation's prices; it never changes. */
export interface PriceBook {
  /** The currency of all amounts (ISO 4217). */
  readonly currency: string;
  readonly isEmpty: boolean;
  /** The operator's price for a run admitted at that time. */
  costPrice(place: RunPlace, atMs: number): PriceInForce | null;
  /** The account's own price for a run admitted at that time. */
  ownPrice(accountId: string, place: RunPlace, atMs: number): PriceInForce | null;
  markup(accountId: string, atMs: number): MarkupInForce | null;
}

/** The versions of one scope, newest first, separately for file and console. */
interface Scope {
  ofFile: Held[];
  ofConsole: Held[];
}

interface Held {
  effectiveAtMs: number;
  id: string;
  /** Null: from this time on the prices file sets no price. */
  price: PriceInForce | null;
}

/** The scopes of each operation of a model, by provider and region. */
type Shelf = Map<string, Map<string, Scope>>;

/** `rename` maps a provider's former name to its current one. */
export function bookOf(
  currency: string,
  versions: readonly PriceVersion[],
  markups: readonly MarkupVersion[],
  rename: ReadonlyMap<string, string> = new Map(),
): PriceBook {
  const nameOf = (provider: string) => rename.get(provider) ?? provider;
  const costs: Shelf = new Map();
  const own = new Map<string, Shelf>();
  for (const version of versions) {
    let shelf = costs;
    if (version.accountId !== null) {
      shelf = own.get(version.accountId) ?? new Map();
      own.set(version.accountId, shelf);
    }
    add(shelf, version, version.provider === null ? null : nameOf(version.provider));
  }
  // Sorted once at the end: sorting after each version would take quadratic time.
  for (const shelf of [costs, ...own.values()])
    for (const scopes of shelf.values())
      for (const { ofFile, ofConsole } of scopes.values()) {
        ofFile.sort(newestFirst);
        ofConsole.sort(newestFirst);
      }
  const markupsOf = Map.groupBy(markups, ({ accountId }) => accountId);
  for (const versionsOf of markupsOf.values()) versionsOf.sort(newestFirst);

  const find = (shelf: Shelf | undefined, place: RunPlace, atMs: number): PriceInForce | null => {
    const scopes = shelf?.get(keyOf(place.model, place.apiType));
    if (!scopes) return null;
    const provider = nameOf(place.provider);
    // The most specific first.
    for (const key of [
      scopeKey(provider, place.region),
      scopeKey(provider, null),
      scopeKey(null, place.region),
      scopeKey(null, null),
    ]) {
      const scope = scopes.get(key);
      const held = scope && inForce(scope, atMs);
      if (held) return held.components.size > 0 ? held : null;
    }
    return null;
  };

  return {
    currency,
    isEmpty: versions.length === 0,
    costPrice: (place, atMs) => find(costs, place, atMs),
    ownPrice: (accountId, place, atMs) => find(own.get(accountId), place, atMs),
    markup(accountId, atMs) {
      for (const versionsOf of [markupsOf.get(accountId), markupsOf.get(null)]) {
        const found = versionsOf?.find(({ effectiveAtMs }) => effectiveAtMs <= atMs);
        if (found) return { id: found.id, percent: decimalOf(found.percent) };
      }
      return null;
    },
  };
}

/** The components that price a kind, or the kind that contains it. */
export function componentsOf({ components }: PriceInForce, kind: PriceKind): readonly Component[] {
  return componentsOfKind(components, kind);
}

function add(shelf: Shelf, version: PriceVersion, provider: string | null): void {
  const { region, source, id, effectiveAtMs, components } = version;
  const operation = keyOf(version.model, version.apiType);
  const scopes = shelf.get(operation) ?? new Map<string, Scope>();
  shelf.set(operation, scopes);
  const key = scopeKey(provider, region);
  const scope = scopes.get(key) ?? { ofFile: [], ofConsole: [] };
  scopes.set(key, scope);
  const versions = source === "file" ? scope.ofFile : scope.ofConsole;
  versions.push({ effectiveAtMs, id, price: components && { id, components: componentsByKind(components) } });
}

/** The file's price takes precedence over the console's. */
function inForce({ ofFile, ofConsole }: Scope, atMs: number): PriceInForce | null {
  const holdsThen = ({ effectiveAtMs }: Held) => effectiveAtMs <= atMs;
  return ofFile.find(holdsThen)?.price ?? ofConsole.find(holdsThen)?.price ?? null;
}

/** Sorts versions. If two begin at the same time, the one created later comes first. */
function newestFirst(
  a: { effectiveAtMs: number; id: string },
  b: { effectiveAtMs: number; id: string },
): number {
  return b.effectiveAtMs - a.effectiveAtMs || (a.id < b.id ? 1 : -1);
}

/** The key is unambiguous, because names of regions have no spaces. */
function scopeKey(provider: string | null, region: string | null): string {
  return `${region ?? ""} ${provider ?? ""}`;
}

function keyOf(model: string, apiType: string): string {
  return `${apiType} ${model}`;
}

/** The price book of this process, which is replaced by a new snapshot after configuration changes. */
export interface Prices {
  readonly book: PriceBook;
  use(book: PriceBook): void;
}

export function createPrices(currency: string): Prices {
  let book = bookOf(currency, [], []);
  return {
    get book() {
      return book;
    },
    use(next) {
      book = next;
    },
  };
}

/** Versions replaced longer ago are not kept in memory, because no run is that old. */
const runsLastDays = 45;

/** A version as the database returns it, with its time as text. */
type Row<Version> = { [Name in keyof Version]: Name extends "effectiveAtMs" ? string : Version[Name] };

/** All prices that a run may still need, read at one moment. */
export async function readBook(
  queries: Queries,
  currency: string,
  rename: ReadonlyMap<string, string>,
): Promise<PriceBook> {
  const { rows: versions } = await queries.execute<Row<PriceVersion>>(sql`
    select id, account_id as "accountId", model, api_type as "apiType", provider, region, components, source,
      extract(epoch from effective_at) * 1000 as "effectiveAtMs"
    from (
      select *, lead(effective_at) over (
        partition by account_id, model, api_type, provider, region, source order by effective_at, id
      ) as ends_at from ${prices}
    ) versions
    where ends_at is null or ends_at > now() - make_interval(days => ${runsLastDays})`);
  const { rows: percents } = await queries.execute<Row<MarkupVersion>>(sql`
    select id, account_id as "accountId", percent::text as percent, extract(epoch from effective_at) * 1000 as "effectiveAtMs"
    from (
      select *, lead(effective_at) over (partition by account_id order by effective_at, id) as ends_at from ${markups}
    ) versions
    where ends_at is null or ends_at > now() - make_interval(days => ${runsLastDays})`);
  return bookOf(
    currency,
    versions.map((row) => ({ ...row, effectiveAtMs: Number(row.effectiveAtMs) })),
    percents.map((row) => ({ ...row, effectiveAtMs: Number(row.effectiveAtMs) })),
    rename,
  );
}
