import type { EventsContext } from "#gateway/events/context.ts";

/**
 * The part of the context that webhook code gets. Everything else is missing, so webhook code that runs a
 * model, reads a stored file or spends money does not compile.
 */
export type WebhookContext = Pick<
  EventsContext,
  | "catalog"
  | "config"
  | "credentials"
  | "database"
  | "drain"
  | "history"
  | "limiter"
  | "log"
  | "retention"
  | "telemetry"
>;
