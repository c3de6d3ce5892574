import type { ApiType } from "#contract/catalog.ts";
import type { Metadata } from "#contract/metadata.ts";
import type { Manifest } from "#contract/outputs.ts";
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  type PgColumn,
  pgTable,
  primaryKey,
  smallint,
  sql,
  text,
  unique,
} from "../drizzle.ts";
import { accounts } from "./accounts.ts";
import { createdAt, time } from "./columns.ts";
import { type StoredInput, uploads } from "./predictions.ts";

/** The kind of a file, as `outputs_kind` is written: operation, family of its type, model, region. */
export const outputKind = [
  sql`coalesce(api_type, '')`,
  sql`split_part(content_type, '/', 1)`,
  sql`model`,
  sql`coalesce(svc_region, '')`,
] as const;

/** What an account's file with a hash is found by: eight bytes, where both as text would be a fifth of what recording it writes. */
export function outputHash(accountId: PgColumn | string, sha256: PgColumn | string) {
  return sql`hashtextextended(${accountId} || ${sha256}, 0)`;
}

/** Whether the file is there: lists read no others, and their indexes have no others. */
export const isStored = sql`key is not null`;

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
    /** Of its run, so that lists need not look it up. Null in rows of before. */
    apiType: text("api_type").$type<ApiType>(),
    svcRegion: text("svc_region"),
    sandbox: boolean("sandbox").notNull().default(false),
    keyId: text("key_id"),
    userId: text("user_id"),
    metadata: jsonb("metadata").$type<Metadata>(),
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
    index("outputs_kind")
      .on(table.accountId, ...outputKind, table.id)
      .where(isStored),
    index("outputs_user")
      .on(table.accountId, table.userId, table.id)
      .where(sql`${isStored} and user_id is not null`),
    index("outputs_key")
      .on(table.accountId, table.keyId, table.id)
      .where(sql`${isStored} and key_id is not null`),
    index("outputs_metadata")
      .using("gin", sql`metadata jsonb_path_ops`)
      .where(sql`${isStored} and metadata is not null`),
    index("outputs_hash").on(outputHash(table.accountId, table.sha256)),
  ],
);

/** An output's copy in its account's library, with copies of the files of its run's input. */
export const keptOutputs = pgTable(
  "kept_outputs",
  {
    outputId: text("output_id")
      .primaryKey()
      // No cascade: a row goes only after its files.
      .references(() => outputs.id),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    model: text("model").notNull(),
    /** The copy's own object key. */
    key: text("key").notNull(),
    /** Null: a sync run's that nobody told. */
    apiType: text("api_type").$type<ApiType>(),
    svcRegion: text("svc_region"),
    /** Without the files, which `media` has; null: not known. */
    input: jsonb("input").$type<Record<string, unknown>>(),
    media: jsonb("media").$type<StoredInput[]>().notNull(),
    /** Of the output, the media and the input. */
    storedBytes: bigint("stored_bytes", { mode: "number" }).notNull(),
    prompt: text("prompt"),
    /** Of the prompt, as searches compare them. */
    words: text("words").array().notNull(),
    labels: text("labels").array().notNull(),
    /** Who kept it, as in `predictions`. */
    keyId: text("key_id"),
    userId: text("user_id"),
    keptAt: time("kept_at").notNull().defaultNow(),
    /** Null: without an end. */
    keptUntil: time("kept_until"),
    /** Set when somebody removed it: until then it can be taken back. */
    goesAt: time("goes_at"),
  },
  (table) => [
    index("kept_outputs_account").on(table.accountId, table.outputId),
    index("kept_outputs_model").on(table.accountId, table.model, table.outputId),
    // The account is part of it, so that common words of others cost nothing.
    index("kept_outputs_search").using(
      "gin",
      sql`(array[account_id])`,
      sql`array_to_tsvector(words)`,
      table.labels,
    ),
    index("kept_outputs_due")
      .on(sql`least(kept_until, goes_at)`)
      .where(sql`least(kept_until, goes_at) is not null`),
  ],
);

/** The small picture of a stored file, made when somebody first looks at it. The row goes with the file. */
export const previews = pgTable(
  "previews",
  {
    /** The object key of the file. */
    key: text("key").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** `none`: the file cannot be read, and is not tried again. */
    state: text("state").$type<"making" | "made" | "none">().notNull(),
    /** Its own object key; while it is made, the one that its maker will use. */
    previewKey: text("preview_key"),
    sizeBytes: bigint("size_bytes", { mode: "number" }).notNull().default(0),
    /** While it is made: when another process may take over. */
    claimedUntil: time("claimed_until"),
    createdAt: createdAt(),
  },
  (table) => [index("previews_claimed").on(table.claimedUntil).where(sql`claimed_until is not null`)],
);

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
