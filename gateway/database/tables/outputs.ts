import type { Manifest } from "#contract/outputs.ts";
import { bigint, index, jsonb, pgTable, smallint, text, unique } from "../drizzle.ts";
import { accounts } from "./accounts.ts";
import { createdAt, time } from "./columns.ts";

/**
 * A file that a run made. The row stays when the file is removed, for as long as the audit log is kept: hash, model, time
 * and account say afterwards whether a file was made here.
 */
export const outputs = pgTable(
  "outputs",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** The prediction or sync run. */
    runId: text("run_id").notNull(),
    /** Among the files of its run, from 1. */
    position: smallint("position").notNull(),
    model: text("model").notNull(),
    /** Of its bytes, in hexadecimal. */
    sha256: text("sha256").notNull(),
    contentType: text("content_type").notNull(),
    sizeBytes: bigint("size_bytes", { mode: "number" }).notNull(),
    /** Its object key; null when the file was removed. */
    key: text("key"),
    /** What its manifest says; null until somebody asks, and again when the file was removed. */
    manifest: jsonb("manifest").$type<Manifest>(),
    createdAt: createdAt(),
    /** When the file is removed. */
    expiresAt: time("expires_at").notNull(),
  },
  (table) => [
    unique("outputs_run").on(table.runId, table.position),
    index("outputs_model").on(table.accountId, table.model, table.id),
    index("outputs_sha256").on(table.accountId, table.sha256),
  ],
);
