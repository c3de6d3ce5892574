import type { Logger } from "pino";
import type { Credentials } from "./accounts/credentials.ts";
import type { KnownOrigins } from "./accounts/known-origins.ts";
import type { AliasBook } from "./aliases/book.ts";
import type { MoneyReservations } from "./budgets/reservations.ts";
import type { Catalog } from "./catalog/catalog.ts";
import type { Config } from "./core/config.ts";
import type { Drain } from "./core/drain.ts";
import type { Database } from "./database/database.ts";
import type { History } from "./database/history.ts";
import type { KeyClaims } from "./http/key-claims.ts";
import type { Limiter } from "./limits/limiter.ts";
import type { FollowedConfiguration } from "./operator/follow.ts";
import type { PredictionChanges } from "./predictions/changes.ts";
import type { Prices } from "./prices/prices.ts";
import type { Signer } from "./provenance/signing/signer.ts";
import type { UpstreamHealth } from "./providers/health/upstream-health.ts";
import type { Providers } from "./providers/providers.ts";
import type { ObjectStore } from "./storage/object-store.ts";
import type { Scratch } from "./storage/scratch.ts";
import type { StorageLimit } from "./storage/storage-limit.ts";
import type { StoreRoom } from "./storage/store-room.ts";
import type { Telemetry } from "./telemetry/telemetry.ts";
import type { Budgets } from "./usage/budgets.ts";
import type { Meter } from "./usage/meter.ts";

/** What every verb of the gateway receives: the settings and the long-lived services. */
export interface Context {
  config: Config;
  log: Logger;
  /** Null: off. */
  telemetry: Telemetry | null;
  database: Database;
  history: History;
  store: ObjectStore;
  /** Null: outputs are not signed. */
  signer: Signer | null;
  scratch: Scratch;
  storageLimit: StorageLimit;
  storeRoom: StoreRoom;
  catalog: Catalog;
  aliases: AliasBook;
  providers: Providers;
  prices: Prices;
  health: UpstreamHealth;
  configuration: FollowedConfiguration;
  meter: Meter;
  budgets: Budgets;
  money: MoneyReservations;
  changes: PredictionChanges;
  drain: Drain;
  limiter: Limiter;
  claims: KeyClaims;
  credentials: Credentials;
  origins: KnownOrigins;
}
