import type { Logger } from "pino";
import type { Prices } from "#gateway/billing/prices/book.ts";
import type { Catalog } from "#gateway/models/catalog/catalog.ts";
import type { Providers } from "#gateway/models/providers/providers.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import type { Database } from "#gateway/platform/database/database.ts";
import { PricesFileReader, type PricesFileState } from "./prices/prices-file.ts";
import { fileStamp, ProvidersFileReader } from "./providers-file.ts";
import { type Reading, readConfiguration, readRevision } from "./read-configuration.ts";

/** Every process listens on this channel. */
export const configurationChannel = "configuration_changed";
/** A change without a notification, or of the providers file, is found after this time at the latest. */
const lookEveryMs = 1_000;

/** The configuration that this process uses, and the problems found when reading it. */
export interface FollowedConfiguration {
  /** The configuration as this process last read it. */
  readonly current: Reading;
  /** The prices file of this installation, if it has one. */
  readonly pricesFile: PricesFileState | null;
  /** Applies changes; resolves when this process uses them. */
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
 * Reads this installation's configuration and follows its changes. Each process gives its catalog and
 * providers a new snapshot. If reading fails, the former configuration stays in use. Throws ConfigError at
 * the start for a providers file or sealed keys that cannot be read.
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
  let next: Promise<void> | null = null;
  // Requests that come before the next look begins share it, so that many changes at once are read together.
  const refresh = (): Promise<void> => {
    next ??= looking.then(() => {
      next = null;
      return look();
    });
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
        // Logged only once, not at every attempt while the database is unavailable.
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

/** The stamp changes with any source of the configuration. */
async function stampOf(database: Database, file: ProvidersFileReader): Promise<string> {
  return `${await readRevision(database.queries)} ${await file.stamp()}`;
}

/**
 * Applies entries and routes together, so that no request sees entries of one reading with routes of another.
 */
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
  // An operator who changes a key or a route should not have to wait until a breaker tries again.
  for (const { modelId, region } of configuration.mappings) catalog.report(modelId, region, "success");
}

/** The stamp changes with the files that contain keys. */
async function keyFilesStamp(connections: Reading["connections"]): Promise<string> {
  const stored = connections.flatMap(({ row }) => Object.values(row.credentials));
  const files = stored.flatMap(({ ref }) => (ref?.startsWith("file:") ? [ref.slice("file:".length)] : []));
  return (await Promise.all(files.map(fileStamp))).join(" ");
}
