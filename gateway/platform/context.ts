import type { Logger } from "pino";
import type { Config } from "./core/config.ts";
import type { Drain } from "./core/drain.ts";
import type { Database } from "./database/database.ts";
import type { History } from "./database/history.ts";
import type { Retention } from "./database/retention.ts";
import type { KeyClaims } from "./http/key-claims.ts";
import type { Limiter } from "./limits/limiter.ts";
import type { Telemetry } from "./telemetry/telemetry.ts";

/** What every verb of the gateway receives: the settings, and the services that know no district. */
export interface PlatformContext {
  config: Config;
  log: Logger;
  /** Null if telemetry is off. */
  telemetry: Telemetry | null;
  database: Database;
  history: History;
  retention: Retention;
  drain: Drain;
  limiter: Limiter;
  claims: KeyClaims;
}
