import type { Context } from "#gateway/context.ts";

/**
 * The part of the context that webhook code gets. Everything else is missing, so webhook code that runs a
 * model, reads a stored file or spends money does not compile.
 */
export type WebhookContext = Pick<
  Context,
  | "catalog"
  | "config"
  | "configuration"
  | "credentials"
  | "database"
  | "history"
  | "limiter"
  | "log"
  | "telemetry"
>;
