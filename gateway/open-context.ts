import type { Logger } from "pino";
import { createMoneyReservations } from "#gateway/billing/budgets/reservations.ts";
import { openStorage } from "#gateway/files/storage/open.ts";
import { followStoreRoom } from "#gateway/files/storage/store-room.ts";
import { createCatalog } from "#gateway/models/catalog/load.ts";
import { createLimiter } from "#gateway/platform/limits/create-limiter.ts";
import { assertCidrs } from "#gateway/platform/network/address-rules.ts";
import { Signer } from "#gateway/runs/provenance/signing/signer.ts";
import { createSandbox } from "#gateway/sandbox/provider.ts";
import { createCredentials, openKnownOrigins } from "./access/accounts/credentials.ts";
import { createPrices } from "./billing/prices/book.ts";
import { createBudgets } from "./billing/usage/budgets.ts";
import { openMeter } from "./billing/usage/meter.ts";
import type { Context } from "./context.ts";
import { announceReached, emitReached } from "./events/webhooks/news.ts";
import { createStorageLimit } from "./files/storage/storage-limit.ts";
import { openAliasBook } from "./models/aliases/book.ts";
import { followConfiguration } from "./models/configuration/follow.ts";
import { createProviders } from "./models/providers/create.ts";
import { UpstreamHealth } from "./models/providers/health/upstream-health.ts";
import type { Config } from "./platform/core/config.ts";
import { createDrain } from "./platform/core/drain.ts";
import type { Database } from "./platform/database/database.ts";
import { readHistory } from "./platform/database/history.ts";
import { createKeyClaims } from "./platform/http/key-claims.ts";
import { setQuiet } from "./platform/network/quiet.ts";
import type { Telemetry } from "./platform/telemetry/telemetry.ts";
import { createPredictionChanges } from "./runs/predictions/changes.ts";

/**
 * Creates the services that verbs receive; `closeContext` closes them, the database included. If one cannot be
 * created, those before it are closed, but not the database.
 */
export async function openContext(
  config: Config,
  log: Logger,
  database: Database,
  telemetry: Telemetry | null = null,
): Promise<Context> {
  setQuiet(config.quiet);
  if (config.quiet) log.warn("GATEHOUSE_QUIET is on: nothing is sent to other machines");
  const { mediaAllowCidrs } = config;
  assertCidrs(mediaAllowCidrs);
  if (mediaAllowCidrs.length > 0)
    log.warn({ mediaAllowCidrs }, "MEDIA_ALLOW_CIDRS is set: media URLs may reach these private ranges");
  const services: { close(): unknown }[] = [];
  const opened: Opened = (service) => {
    services.push(service);
    return service;
  };
  try {
    return await openServices(config, log, database, telemetry, opened);
  } catch (error) {
    for (const service of services.toReversed()) await service.close();
    throw error;
  }
}

type Opened = <Service extends { close(): unknown }>(service: Service) => Service;

async function openServices(
  config: Config,
  log: Logger,
  database: Database,
  telemetry: Telemetry | null,
  opened: Opened,
): Promise<Context> {
  const history = await readHistory(database, config);
  const { store, scratch } = await openStorage(config);
  opened(scratch);
  opened(store);
  const signer = config.signing && (await Signer.open({ files: config.signing, log }));
  const storeRoom = opened(await followStoreRoom(database, log));
  const catalog = createCatalog();
  // Opened before the meter: the limiter shows other processes that this one is alive, so that they leave its
  // journal alone.
  const limiter = opened(await createLimiter(database, log));
  const meter = opened(
    await openMeter(config.dataDir, database, log, {
      write: (queries, reached) => emitReached(queries, reached, config.retentionMs),
      announce: (reached) => announceReached(database, reached),
    }),
  );
  const { currency } = config;
  const money = opened(createMoneyReservations({ database, currency, unwritten: meter, log }));
  const sandbox = createSandbox({ config, database, log, storeRoom });
  const health = opened(new UpstreamHealth(database.queries, log));
  const providers = opened(createProviders({ config, database, log, sandbox, health }));
  const prices = createPrices(config.currency);
  const configuration = opened(
    await followConfiguration({ config, database, log, catalog, providers, prices }),
  );
  return {
    config,
    log,
    telemetry,
    database,
    history,
    store: storeRoom.noting(store),
    signer,
    storeRoom,
    scratch,
    storageLimit: createStorageLimit(config, database),
    catalog,
    aliases: opened(await openAliasBook(database)),
    providers,
    prices,
    health,
    configuration,
    meter,
    budgets: opened(createBudgets({ database, meter, money, log })),
    money,
    changes: opened(await createPredictionChanges(database)),
    drain: createDrain(config.drainMs),
    limiter,
    claims: opened(createKeyClaims(database, log)),
    credentials: opened(await createCredentials({ database, limiter, log })),
    origins: await openKnownOrigins(database, log),
  };
}

export async function closeContext(context: Context): Promise<void> {
  context.budgets.close();
  context.money.close();
  await context.meter.close();
  context.configuration.close();
  context.aliases.close();
  await context.providers.close();
  await context.health.close();
  await context.changes.close();
  context.credentials.close();
  context.origins.close();
  context.claims.close();
  await context.limiter.close();
  context.storeRoom.close();
  await context.store.close();
  await context.scratch.close();
  await context.database.close();
}
