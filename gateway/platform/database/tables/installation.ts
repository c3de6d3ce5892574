import { integer, pgTable, text } from "../drizzle.ts";

/** What is decided when an installation begins, in one row. */
export const installation = pgTable("installation", {
  id: text("id").primaryKey(),
  /** How many days history is kept where the settings do not say; null for ever, as in releases that kept everything. */
  historyDays: integer("history_days"),
  auditDays: integer("audit_days"),
});
