import { bigint, integer, jsonb, pgTable, text } from "../drizzle.ts";
import { createdAt, time } from "./columns.ts";

/** The file that the stream is written to, and its bytes after the last whole batch. */
export interface StreamFile {
  inode: string;
  length: number;
}

/**
 * One row while the audit log is streamed: how far it has left. While the row exists, a trigger copies each new audit row
 * into `audit_outbox`.
 */
export const auditStream = pgTable("audit_stream", {
  id: text("id").primaryKey(),
  /** The number of the last event in a batch. Numbers have no gaps, except for dropped events. */
  last: bigint("last", { mode: "number" }).notNull().default(0),
  /** The batch that is being sent, so that it is sent again as it was; null between batches. */
  batchId: text("batch_id"),
  /** Its events, as lines. */
  batchLines: text("batch_lines"),
  /** When its first event happened. */
  batchAt: time("batch_at"),
  file: jsonb("file").$type<StreamFile>(),
  /** Failed attempts since the last success. */
  failures: integer("failures").notNull().default(0),
  nextAttemptAt: time("next_attempt_at").notNull().defaultNow(),
  lastError: text("last_error"),
  lastSentAt: time("last_sent_at"),
  /** Since when operators know that it is behind; null once it has recovered. */
  behindSince: time("behind_since"),
  /** Events that were dropped because they could not leave for `AUDIT_STREAM_KEEP_DAYS`. */
  dropped: bigint("dropped", { mode: "number" }).notNull().default(0),
  /** When a process with the settings of the stream last ran. */
  seenAt: time("seen_at").notNull().defaultNow(),
  createdAt: createdAt(),
});

/** Audit rows that have not left, also those of accounts that were deleted since. */
export const auditOutbox = pgTable("audit_outbox", {
  number: bigint("number", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  /** The columns of the row in `audit_logs`. */
  entry: jsonb("entry").$type<Record<string, unknown>>().notNull(),
  createdAt: createdAt(),
});
