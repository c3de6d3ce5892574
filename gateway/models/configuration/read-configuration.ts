import { type PriceBook, readBook } from "#gateway/billing/prices/book.ts";
import type { Catalog } from "#gateway/models/catalog/catalog.ts";
import { compileOnce } from "#gateway/models/catalog/compile.ts";
import { ownEntries } from "#gateway/models/catalog/entries.ts";
import { asPublished, type Entry, type OfferedEntry, type OwnChange } from "#gateway/models/catalog/entry.ts";
import { createCatalog } from "#gateway/models/catalog/load.ts";
import { staticModel } from "#gateway/models/catalog/registry.ts";
import type { Configuration, Connection } from "#gateway/models/providers/configuration.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import type { Database, Queries } from "#gateway/platform/database/database.ts";
import { configuration as configurationTable } from "#gateway/platform/database/schema.ts";
import {
  countRunning,
  readOwnModels,
  readSettings,
  type SettingsRow,
  type StoredModel,
} from "./models/stored-models.ts";
import { type ReadConnection, readConnections } from "./providers/read-connections.ts";
import type { FilePart, ProvidersFileReader } from "./providers-file.ts";
import { type ReadRoute, readRouteRows, resolveRoutes } from "./routes/read-routes.ts";

/** The entries that the catalog offers, and the last changes of operators' entries. */
interface OfferedEntries {
  offered: readonly OfferedEntry[];
  changes: readonly OwnChange[];
  /** Operators' entries that cannot be offered, with the reason. */
  unusable: readonly { id: string; reason: string }[];
}

/** The installation's whole configuration, read at one moment. */
export interface Reading {
  revision: number;
  entries: readonly Entry[];
  /** The entries with the operators' settings. */
  models: OfferedEntries;
  configuration: Configuration;
  file: FilePart | null;
  /**
   * The operators' connections, including those that the file overrides and those deleted within the last
   * day.
   */
  connections: readonly ReadConnection[];
  book: PriceBook;
  /** The operators' routes, including those that the file overrules. */
  routes: readonly ReadRoute[];
}

/** The revision; every change raises it. */
export async function readRevision(queries: Queries): Promise<number> {
  const [row] = await queries.select({ revision: configurationTable.revision }).from(configurationTable);
  return row?.revision ?? 0;
}

/** Entries read earlier: an unchanged entry keeps its object, and with it its compiled schemas. */
type KnownEntries = Map<string, Entry>;

/**
 * A deleted entry is visible to no account, but for a while its running and just accepted predictions still
 * need its routes.
 */
const nobody: ReadonlySet<string> = new Set();

const leavesForMs = 60_000;

/**
 * Turns rows and file into the configuration for the catalog and the providers. With `mustOpenKeys`, used at
 * the start, throws ConfigError for keys that the master secret cannot open.
 */
export async function readConfiguration(
  { config, database, known }: { config: Config; database: Database; known: KnownEntries },
  fileReader: ProvidersFileReader,
  mustOpenKeys = false,
): Promise<Reading> {
  return database.transaction(async (queries) => {
    const revision = await readRevision(queries);
    const offer = await readOfferedEntries(queries, known);
    const connections = await readConnections(queries, config, mustOpenKeys);
    const models = offer.offered.map(({ entry }) => staticModel(entry));
    const file = fileReader.read(models);
    const inUse = oneOfEachName(file, connections);
    const book = await readBook(queries, config.currency, presentNames(connections));
    const ofFile = file?.mappings ?? [];
    const routes = resolveRoutes(await readRouteRows(queries), ofFile, inUse, models);
    return {
      revision,
      entries: offer.offered.map(({ entry }) => entry),
      models: offer,
      file,
      connections,
      routes,
      book,
      configuration: {
        unmapped: file?.content.unmapped ?? "sandbox",
        connections: inUse,
        mappings: [...ofFile, ...routes.flatMap(({ mappings }) => mappings)],
      },
    };
  });
}

/** The catalog of this moment, for commands: they have no providers, and follow no changes. */
export async function readCatalog(queries: Queries): Promise<Catalog> {
  const { offered, changes } = await readOfferedEntries(queries, new Map());
  const catalog = createCatalog();
  catalog.use(offered, changes);
  return catalog;
}

/** The specification's entries, then the operators', with the operators' settings. */
async function readOfferedEntries(queries: Queries, known: KnownEntries): Promise<OfferedEntries> {
  const stored = await readOwnModels(queries);
  const settings = await readSettings(queries);
  const running = new Set((await countRunning(queries)).map(({ model }) => model));
  const own = stored
    .filter(({ row }) => row.leftAt === null || running.has(row.id) || hasJustLeft(row.leftAt))
    .reverse()
    .map((model) => ({ ...asPublished(entryOf(model, known)), revision: model.row.revision }));
  const unusable = own.flatMap(({ entry }) => problemOf(entry));
  const usable = own.filter(({ entry }) => !unusable.some(({ id }) => id === entry.id));
  const offered = [...ownEntries.load().map(asPublished), ...usable];
  const left = new Set(stored.filter(({ row }) => row.leftAt !== null).map(({ row }) => row.id));
  return {
    unusable,
    offered: offered.map((one) =>
      left.has(one.entry.id)
        ? { ...one, hidden: true, accounts: nobody }
        : withSettings(one, settings.get(one.entry.id)),
    ),
    changes: stored.map(({ row }) => ({
      at: row.updatedAt,
      number: row.changeNumber,
      accounts: accountsOf(settings.get(row.id)),
    })),
  };
}

function hasJustLeft(leftAt: Date): boolean {
  return clock.now() - leftAt.getTime() < leavesForMs;
}

function entryOf({ row, content }: StoredModel, known: KnownEntries): Entry {
  const before = known.get(row.id);
  // Revisions never change, so equal text means the same revision, even if another entry took the id.
  if (before && JSON.stringify(before) === JSON.stringify(content.entry)) return before;
  known.set(row.id, content.entry);
  return content.entry;
}

/** A broken entry must not block the others or the start. */
function problemOf(entry: Entry): { id: string; reason: string }[] {
  try {
    for (const operation of entry.operations) compileOnce(operation);
    return [];
  } catch (error) {
    return [{ id: entry.id, reason: error instanceof Error ? error.message : String(error) }];
  }
}

function withSettings(offered: OfferedEntry, settings: SettingsRow | undefined): OfferedEntry {
  if (!settings) return offered;
  const { displayName, hidden } = settings;
  return { ...offered, displayName, hidden, accounts: accountsOf(settings) };
}

function accountsOf(settings: SettingsRow | undefined): ReadonlySet<string> | null {
  return settings?.accounts ? new Set(settings.accounts) : null;
}

/** If the file and an operator use the same name, the file wins; a deleted provider yields to a new one. */
function oneOfEachName(
  file: FilePart | null,
  connections: readonly ReadConnection[],
): Configuration["connections"] {
  const byName = new Map<string, Connection>();
  const inUse = connections.filter(({ row }) => row.goneAt === null);
  const gone = connections.filter(({ row }) => row.goneAt !== null);
  const all = [...(file?.connections ?? []), ...[...inUse, ...gone].map(({ connection }) => connection)];
  for (const connection of all)
    if (!byName.has(connection.name.toLowerCase())) byName.set(connection.name.toLowerCase(), connection);
  return [...byName.values()];
}

/** Maps former names of providers to their current ones. */
function presentNames(connections: readonly ReadConnection[]): ReadonlyMap<string, string> {
  return new Map(
    connections.flatMap(({ row }) => row.formerNames.map((former) => [former, row.name] as const)),
  );
}
