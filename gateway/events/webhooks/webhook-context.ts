import type { Context } from "#gateway/context.ts";

/**
 * What a verb of this room gets of the context. The rest is out of its reach: no delivery and no retry can run a model, read a
 * stored file or spend money, and a verb that tries to does not compile.
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
