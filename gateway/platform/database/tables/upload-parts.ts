import { integer, pgTable, primaryKey, text } from "../drizzle.ts";
import { createdAt, time } from "./columns.ts";
import { uploads } from "./predictions.ts";

/**
 * An upload that arrives in parts: what the object store holds of it until it is whole, and who writes. It does not refer to its
 * upload: of one that was deleted it stays until the parts are removed from the store.
 */
export const uploadTransfers = pgTable("upload_transfers", {
  uploadId: text("upload_id").primaryKey(),
  accountId: text("account_id").notNull(),
  /** The object that the parts become; also in the upload's `storage_key`. */
  key: text("key").notNull(),
  /** How the store calls the unfinished object; null while it is being begun. */
  multipartId: text("multipart_id"),
  partBytes: integer("part_bytes").notNull(),
  /** The object with the beginning of the part that is not full yet. */
  tailKey: text("tail_key"),
  /** Goes up with each writer: what an earlier writer still sends is refused. */
  epoch: integer("epoch").notNull(),
  /** Until then the writer has the upload to itself. */
  leaseExpiresAt: time("lease_expires_at").notNull(),
  createdAt: createdAt(),
});

/** What was received of such an upload, in order; the last part may still grow. */
export const uploadParts = pgTable(
  "upload_parts",
  {
    uploadId: text("upload_id")
      .notNull()
      .references(() => uploads.id, { onDelete: "cascade" }),
    /** From 1. */
    number: integer("number").notNull(),
    sizeBytes: integer("size_bytes").notNull(),
    sha256: text("sha256").notNull(),
    /** How the store calls the part; null: it is not full yet, its bytes are in the transfer's `tail_key`. */
    etag: text("etag"),
  },
  (table) => [primaryKey({ columns: [table.uploadId, table.number] })],
);
