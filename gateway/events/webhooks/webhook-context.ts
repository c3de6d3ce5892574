import type { Context } from "#gateway/context.ts";

/**
 * The part of the context that webhook code gets. It does not contain the rest, so that code which runs a
 * model, reads a stored file or spends money does not compile here.
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
