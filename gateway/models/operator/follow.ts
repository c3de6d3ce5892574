import type { Logger } from "pino";
import type { Prices } from "#gateway/billing/prices/prices.ts";
import type { Catalog } from "#gateway/models/catalog/catalog.ts";
import type { Providers } from "#gateway/models/providers/providers.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import type { Database } from "#gateway/platform/database/database.ts";
import { PricesFileReader, type PricesFileState } from "./prices/prices-file.ts";
import { fileStamp, ProvidersFileReader } from "./providers-file.ts";
import { type Reading, readConfiguration, readRevision } from "./read-configuration.ts";

/** Every process listens to it. */
export const configurationChannel = "configuration_changed";
/** A change that nobody notified, also one of the providers file, is found this much later. */
const lookEveryMs = 1_000;

/** What this process works by, and what was wrong when it was read. */
export interface FollowedConfiguration {
  /** What was read last. */
  readonly current: Reading;
  /** The prices file of this installation, if it has one. */
  readonly pricesFile: PricesFileState | null;
  /** Takes over what has changed; resolves when this process works by it. */
  refresh(): Promise<void>;
  close(): void;
}

export interface FollowParts {
  config: Config;
  database: Database;
  log: Logger;
  catalog: Catalog;
  providers: Providers;
  prices: Prices;
}

/**
 * Reads the configuration of this instance and follows its changes, in every process: each gives the catalog and the
 * providers a new snapshot. What cannot be read leaves the former one in use. Throws ConfigError for a providers file or
 * sealed keys that cannot be read at the start.
 */
export async function followConfiguration(given: FollowParts): Promise<FollowedConfiguration> {
  const parts = { ...given, known: new Map() };
  const { config, database, log } = parts;
  const file = new ProvidersFileReader(config.providersFile, log);
  const pricesFile = new PricesFileReader(config, log);
  await pricesFile.follow(database);
  const firstStamp = await stampOf(database, file);
  let current = await readConfiguration(parts, file, true);
  let seen = firstStamp + (await keyFilesStamp(current.connections));
  apply(parts, current);

  const look = async (): Promise<void> => {
    await pricesFile.follow(database);
    const stamp = await stampOf(database, file);
    if (stamp + (await keyFilesStamp(current.connections)) === seen) return;
    current = await readConfiguration(parts, file);
    seen = stamp + (await keyFilesStamp(current.connections));
    apply(parts, current);
    log.info({ revision: current.revision }, "the configuration has changed");
  };

  let looking: Promise<void> = Promise.resolve();
  const refresh = (): Promise<void> => {
    const next = looking.then(look);
    looking = next.catch(() => {});
    return next;
  };
  let isAway = false;
  const lookAgain = (): void => {
    refresh().then(
      () => {
        isAway = false;
      },
      (error: unknown) => {
        // Said once, not at every look while the database is away.
        if (!isAway)
          log.warn({ err: error }, "the configuration could not be read; the former one stays in use");
        isAway = true;
      },
    );
  };
  const stopListening = await database.listen(configurationChannel, lookAgain);
  const timer = setInterval(lookAgain, lookEveryMs);
  timer.unref();
  return {
    get current() {
      return current;
    },
    get pricesFile() {
      return pricesFile.state;
    },
    refresh,
    close() {
      clearInterval(timer);
      stopListening();
    },
  };
}

/** Changes with everything that the configuration is read from. */
async function stampOf(database: Database, file: ProvidersFileReader): Promise<string> {
  return `${await readRevision(database.queries)} ${await file.stamp()}`;
}

/** Both at once: no request sees the entries of one reading with the routes of another. */
function apply(
  { catalog, providers, prices, log }: FollowParts,
  { models, configuration, book }: Reading,
): void {
  for (const { id, reason } of models.unusable)
    log.error({ model: id, reason }, "an operator's model cannot be offered");
  catalog.use(models.offered, models.changes);
  providers.use(configuration);
  prices.use(book);
  catalog.setServing(providers.serving);
  // Who changes a key or a route should not wait until a breaker tries again.
  for (const { modelId, region } of configuration.mappings) catalog.report(modelId, region, "success");
}

/** Changes with the files that keys are read from. */
async function keyFilesStamp(connections: Reading["connections"]): Promise<string> {
  const stored = connections.flatMap(({ row }) => Object.values(row.credentials));
  const files = stored.flatMap(({ ref }) => (ref?.startsWith("file:") ? [ref.slice("file:".length)] : []));
  return (await Promise.all(files.map(fileStamp))).join(" ");
}
