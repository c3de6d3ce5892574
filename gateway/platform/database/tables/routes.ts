import type { UpstreamRateLimit } from "#contract/operator/health.ts";
import type { RouteEntry } from "#contract/operator/routes.ts";
import { integer, jsonb, pgTable, primaryKey, text } from "../drizzle.ts";
import { createdAt, time } from "./columns.ts";

/** The routes that operators made; those of the providers file are not here. */
export const routes = pgTable("routes", {
  id: text("id").primaryKey(),
  /** Their order, which decides among routes of one priority without weights. */
  position: integer("position").notNull(),
  entry: jsonb("entry").$type<RouteEntry>().notNull(),
  createdAt: createdAt(),
  updatedAt: time("updated_at").notNull().defaultNow(),
});

/**
 * What all processes saw last of a model at a provider in a region. They write it each second, if there was something
 * to see, and not with each request.
 */
export const upstreamHealth = pgTable(
  "upstream_health",
  {
    provider: text("provider").notNull(),
    model: text("model").notNull(),
    region: text("region").notNull(),
    lastSuccessAt: time("last_success_at"),
    lastFailureAt: time("last_failure_at"),
    failureCode: text("failure_code"),
    /** The upstream's own words, without keys. */
    failureMessage: text("failure_message"),
    /** Until when a process tries it last. */
    openUntil: time("open_until"),
    rateLimit: jsonb("rate_limit").$type<UpstreamRateLimit>(),
  },
  (table) => [primaryKey({ columns: [table.provider, table.model, table.region] })],
);
