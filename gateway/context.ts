import type { Logger } from "pino";
import type { MoneyReservations } from "#gateway/billing/budgets/reservations.ts";
import type { ObjectStore } from "#gateway/files/storage/object-store.ts";
import type { StoreRoom } from "#gateway/files/storage/store-room.ts";
import type { Signer } from "#gateway/runs/provenance/signing/signer.ts";
import type { Credentials, KnownOrigins } from "./access/accounts/credentials.ts";

import type { Prices } from "./billing/prices/book.ts";
import type { Budgets } from "./billing/usage/budgets.ts";
import type { Meter } from "./billing/usage/meter.ts";
import type { Scratch } from "./files/storage/scratch.ts";
import type { StorageLimit } from "./files/storage/storage-limit.ts";
import type { AliasBook } from "./models/aliases/book.ts";
import type { Catalog } from "./models/catalog/catalog.ts";
import type { FollowedConfiguration } from "./models/configuration/follow.ts";
import type { UpstreamHealth } from "./models/providers/health/upstream-health.ts";
import type { Providers } from "./models/providers/providers.ts";
import type { Config } from "./platform/core/config.ts";
import type { Drain } from "./platform/core/drain.ts";
import type { Database } from "./platform/database/database.ts";
import type { History } from "./platform/database/history.ts";
import type { KeyClaims } from "./platform/http/key-claims.ts";
import type { Limiter } from "./platform/limits/limiter.ts";
import type { Telemetry } from "./platform/telemetry/telemetry.ts";
import type { PredictionChanges } from "./runs/predictions/changes.ts";

/** What every verb of the gateway receives: the settings and the long-lived services. */
export interface Context {
  config: Config;
  log: Logger;
  /** Null if telemetry is off. */
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

/**
 * The context for the districts below `models/`, and for code that only stores: with it, nothing can reach an
 * upstream.
 */
export type BaseContext = Omit<Context, "aliases" | "providers" | "health" | "signer" | "changes">;
