import type { PriceBook } from "#gateway/billing/prices/book.ts";
import { readBook } from "#gateway/billing/prices/read-book.ts";
import type { Entry } from "#gateway/models/catalog/entry.ts";
import { staticModel } from "#gateway/models/catalog/registry.ts";
import type { Configuration, Connection } from "#gateway/models/providers/configuration.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import type { Database, Queries } from "#gateway/platform/database/database.ts";
import { configuration as configurationTable } from "#gateway/platform/database/schema.ts";
import { type KnownEntries, type OfferedEntries, readOfferedEntries } from "./models/read-offered-entries.ts";
import { type ReadConnection, readConnections } from "./providers/read-connections.ts";
import type { FilePart, ProvidersFileReader } from "./providers-file.ts";
import { type ReadRoute, readRouteRows, resolveRoutes } from "./routes/read-routes.ts";

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
