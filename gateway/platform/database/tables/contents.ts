import type { Metadata } from "#contract/metadata.ts";
import {
  bigint,
  boolean,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  sql,
  text,
  uniqueIndex,
} from "../drizzle.ts";
import { accountId } from "./accounts.ts";
import { createdAt, time } from "./columns.ts";

const bytes = customType<{ data: Buffer }>({ dataType: () => "bytea" });

/**
 * The keys that seal the contents of accounts. An account that keeps contents has one; switching them off erases
 * its secret, and the row stays until a sweep has deleted what the key sealed.
 */
export const contentKeys = pgTable(
  "content_keys",
  {
    id: text("id").primaryKey(),
    accountId: accountId(),
    /** The secret, sealed by the master secret. Null: it was erased. */
    sealedBy: text("sealed_by"),
    ciphertext: text("ciphertext"),
    /** The sum of what was sealed, less what the limit removed; days that were dropped still count. */
    keptBytes: bigint("kept_bytes", { mode: "number" }).notNull().default(0),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex("content_keys_current").on(table.accountId).where(sql`ciphertext is not null`),
    index("content_keys_erased").on(table.id).where(sql`ciphertext is null`),
  ],
);

/** What a run was sent and what it answered, sealed. The table has a partition per day. */
export const contents = pgTable(
  "contents",
  {
    /** The id of the run. */
    id: text("id").primaryKey(),
    accountId: text("account_id").notNull(),
    at: time("at").notNull(),
    /** Null for a row of a batch. */
    requestId: text("request_id"),
    keyId: text("key_id"),
    userId: text("user_id"),
    model: text("model").notNull(),
    apiType: text("api_type").notNull(),
    /** Whether the caller sent `store: true`, so that the API for stored completions lists it. */
    isStored: boolean("is_stored").notNull(),
    metadata: jsonb("metadata").$type<Metadata>(),
    /** The account's key, which seals `secret`. */
    contentKey: text("content_key").notNull(),
    /** This row's own key, sealed. It seals the two texts below. */
    secret: bytes("secret").notNull(),
    /** The first words. */
    opening: bytes("opening").notNull(),
    /** Compressed. */
    sealed: bytes("sealed").notNull(),
    sizeBytes: integer("size_bytes").notNull(),
  },
  (table) => [
    index("contents_account").on(table.accountId, table.id),
    index("contents_stored").on(table.accountId, table.id).where(sql`is_stored`),
  ],
);
