import type { Logger } from "pino";
import { createCredentials } from "./accounts/credentials.ts";
import { openKnownOrigins } from "./accounts/known-origins.ts";
import { openAliasBook } from "./aliases/book.ts";
import { createMoneyReservations } from "./budgets/reservations.ts";
import { createCatalog } from "./catalog/load.ts";
import type { Context } from "./context.ts";
import type { Config } from "./core/config.ts";
import { createDrain } from "./core/drain.ts";
import type { Database } from "./database/database.ts";
import { readHistory } from "./database/history.ts";
import { createKeyClaims } from "./http/key-claims.ts";
import { createLimiter } from "./limits/create-limiter.ts";
import { assertCidrs } from "./network/address-rules.ts";
import { followConfiguration } from "./operator/follow.ts";
import { createPredictionChanges } from "./predictions/changes.ts";
import { createPrices } from "./prices/prices.ts";
import { Signer } from "./provenance/signing/signer.ts";
import { createProviders } from "./providers/create.ts";
import { UpstreamHealth } from "./providers/health/upstream-health.ts";
import { createSandbox } from "./sandbox/provider.ts";
import { openStorage } from "./storage/open.ts";
import { createStorageLimit } from "./storage/storage-limit.ts";
import { followStoreRoom } from "./storage/store-room.ts";
import type { Telemetry } from "./telemetry/telemetry.ts";
import { createBudgets } from "./usage/budgets.ts";
import { openMeter } from "./usage/meter.ts";
import { announceReached, emitReached } from "./webhooks/budget-events.ts";

/** Creates the services that the verbs receive; `closeContext` closes them, the database included. */
export async function openContext(
  config: Config,
  log: Logger,
  database: Database,
  telemetry: Telemetry | null = null,
): Promise<Context> {
  const { mediaAllowCidrs } = config;
  assertCidrs(mediaAllowCidrs);
  if (mediaAllowCidrs.length > 0)
    log.warn({ mediaAllowCidrs }, "MEDIA_ALLOW_CIDRS is set: media URLs may reach these private ranges");
  const history = await readHistory(database, config);
  const { store, scratch } = await openStorage(config);
  const signer = config.signing && (await Signer.open({ files: config.signing, log }));
  const storeRoom = await followStoreRoom(database, log);
  const catalog = createCatalog();
  // Before the meter: by it other processes know that this one lives, and leave its journal alone.
  const limiter = await createLimiter(database, log);
  const meter = await openMeter(config.dataDir, database, log, {
    write: (queries, reached) => emitReached(queries, reached, config.retentionMs),
    announce: (reached) => announceReached(database, reached),
  });
  const { currency } = config;
  const money = createMoneyReservations({ database, currency, unwritten: meter, log });
  const sandbox = createSandbox({ config, database, log });
  const health = new UpstreamHealth(database.queries, log);
  const providers = createProviders({ config, database, log, sandbox, health });
  const prices = createPrices(config.currency);
  const configuration = await followConfiguration({ config, database, log, catalog, providers, prices });
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
    aliases: await openAliasBook(database),
    providers,
    prices,
    health,
    configuration,
    meter,
    budgets: createBudgets({ database, meter, money, log }),
    money,
    changes: await createPredictionChanges(database),
    drain: createDrain(config.drainMs),
    limiter,
    claims: createKeyClaims(database, log),
    credentials: await createCredentials({ database, limiter, log }),
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
  await context.telemetry?.close();
}
