import { doublePrecision, integer, jsonb, pgTable, primaryKey, text } from "../drizzle.ts";
import { time } from "./columns.ts";

/** The token bucket of a limit and a subject, from which processes lease (`gateway/platform/limits`). */
export const limitRates = pgTable(
  "limit_rates",
  {
    name: text("name").notNull(),
    subject: text("subject").notNull(),
    size: doublePrecision("size").notNull(),
    periodMs: doublePrecision("period_ms").notNull(),
    tokens: doublePrecision("tokens").notNull(),
    /** Tokens granted by the last lease. */
    granted: doublePrecision("granted").notNull(),
    refilledAt: time("refilled_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.name, table.subject] })],
);

/** The concurrency slots that each process has for a subject; those of an ended process no longer count. */
export const limitSlots = pgTable("limit_slots", {
  subject: text("subject").primaryKey(),
  /** `places`, `wanted` and `running` as of the last lease. */
  places: integer("places").notNull(),
  wanted: integer("wanted").notNull(),
  running: integer("running").notNull(),
  held: jsonb("held").$type<Record<string, number>>().notNull(),
});

/** The processes that lease slots, and when each was last seen. */
export const gatewayProcesses = pgTable("gateway_processes", {
  id: text("id").primaryKey(),
  seenAt: time("seen_at").notNull(),
  /** What a drained process still has in hand; null while it is not drained. */
  running: integer("running"),
});

/** Nodes and processes that operators drained: `<host>`, or `<host>:<process id>`. */
export const drainedNodes = pgTable("drained_nodes", {
  id: text("id").primaryKey(),
  since: time("since").notNull().defaultNow(),
  reason: text("reason"),
  /** The operator, or their key; null: the command line. */
  by: jsonb("by").$type<{ id: string; name: string }>(),
});

/** What each process handled in a minute, and what it runs (`gateway/platform/figures/load.ts`). */
export const processLoads = pgTable(
  "process_loads",
  {
    processId: text("process_id").notNull(),
    minute: time("minute").notNull(),
    rows: jsonb("rows").notNull(),
    writtenAt: time("written_at").notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.processId, table.minute] })],
);
