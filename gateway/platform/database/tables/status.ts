import type { RegionName } from "#contract/catalog.ts";
import type { IncidentImpact, IncidentStatus } from "#contract/status-constants.ts";
import { index, pgTable, text } from "../drizzle.ts";
import { createdAt, time } from "./columns.ts";

/** What operators tell all accounts of on the status page. */
export const incidents = pgTable(
  "incidents",
  {
    id: text("id").primaryKey(),
    title: text("title").notNull(),
    impact: text("impact").$type<IncidentImpact>().notNull(),
    /** Those that it concerns; empty: all. */
    models: text("models").array().notNull(),
    regions: text("regions").array().$type<RegionName[]>().notNull(),
    startedAt: time("started_at").notNull(),
    resolvedAt: time("resolved_at"),
    createdAt: createdAt(),
  },
  (table) => [index("incidents_resolved").on(table.resolvedAt)],
);

export const incidentUpdates = pgTable(
  "incident_updates",
  {
    id: text("id").primaryKey(),
    incidentId: text("incident_id")
      .notNull()
      .references(() => incidents.id, { onDelete: "cascade" }),
    status: text("status").$type<IncidentStatus>().notNull(),
    text: text("text").notNull(),
    at: time("at").notNull(),
  },
  (table) => [index("incident_updates_incident").on(table.incidentId, table.id)],
);
