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
import { accountId } from "./accounts.ts";
import { createdAt, time } from "./columns.ts";
import { type ReceiptFacts, type StoredInput, uploads } from "./predictions.ts";

/** The columns of the index `outputs_kind`: operation, media family, model, region. */
export const outputKind = [
  sql`coalesce(api_type, '')`,
  sql`split_part(content_type, '/', 1)`,
  sql`model`,
  sql`coalesce(svc_region, '')`,
] as const;

/**
 * An eight-byte key for finding an account's file by its hash. Storing both as text would make recording a
 * file write a quarter more.
 */
export function outputHash(accountId: PgColumn | string, sha256: PgColumn | string) {
  return sql`hashtextextended(${accountId} || ${sha256}, 0)`;
}

/** The condition on an account's files with these bytes. */
export function hasBytes(accountId: string, sha256: string) {
  const isLike = sql`${outputHash(outputs.accountId, outputs.sha256)} = ${outputHash(accountId, sha256)}`;
  return sql`(${isLike} and ${outputs.accountId} = ${accountId} and ${outputs.sha256} = ${sha256})`;
}

/** Whether the file is stored: lists and their indexes contain only such rows. */
export const isStored = sql`key is not null`;

/**
 * A file made by a run. The row stays after the file is removed, as long as the audit log is kept: hash,
 * model, time and account still prove whether a file was made here.
 */
export const outputs = pgTable(
  "outputs",
  {
    id: text("id").primaryKey(),
    accountId: accountId(),
    /** The prediction or sync run. */
    runId: text("run_id").notNull(),
    /** Its position among the files of its run, from 1. */
    position: smallint("position").notNull(),
    model: text("model").notNull(),
    /** Copied from its run, so that lists need not look it up. Null in rows of earlier releases. */
    apiType: text("api_type").$type<ApiType>(),
    svcRegion: text("svc_region"),
    sandbox: boolean("sandbox").notNull().default(false),
    keyId: text("key_id"),
    userId: text("user_id"),
    metadata: jsonb("metadata").$type<Metadata>(),
    /** The sha256 of its bytes, in hexadecimal. */
    sha256: text("sha256").notNull(),
    contentType: text("content_type").notNull(),
    sizeBytes: bigint("size_bytes", { mode: "number" }).notNull(),
    /** Its object key; null once the file is removed. */
    key: text("key"),
    /** The content of its manifest; null until it is first read, and again once the file is removed. */
    manifest: jsonb("manifest").$type<Manifest>(),
    /** The receipt of a sync run, which has no row of its own: at the first of its files. */
    receipt: jsonb("receipt").$type<ReceiptFacts>(),
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

/** An output's copy in the account's library, with copies of its run's input files. */
export const keptOutputs = pgTable(
  "kept_outputs",
  {
    outputId: text("output_id")
      .primaryKey()
      // No cascade, because a row is deleted only after its files.
      .references(() => outputs.id),
    accountId: accountId(),
    model: text("model").notNull(),
    /** The copy's own object key. */
    key: text("key").notNull(),
    /** Null for a sync run if the person who kept the output did not send it. */
    apiType: text("api_type").$type<ApiType>(),
    svcRegion: text("svc_region"),
    /** The input without its files, which are in `media`; null if the input is not known. */
    input: jsonb("input").$type<Record<string, unknown>>(),
    media: jsonb("media").$type<StoredInput[]>().notNull(),
    /** The size of the output, the media and the input. */
    storedBytes: bigint("stored_bytes", { mode: "number" }).notNull(),
    prompt: text("prompt"),
    /** The words of the prompt, in search form. */
    words: text("words").array().notNull(),
    labels: text("labels").array().notNull(),
    /** The person or key that kept it, as in `predictions`. */
    keyId: text("key_id"),
    userId: text("user_id"),
    keptAt: time("kept_at").notNull().defaultNow(),
    /** Null: the output is kept for ever. */
    keptUntil: time("kept_until"),
    /** When the output will be deleted, set when somebody removes it; until then the removal can be undone. */
    goesAt: time("goes_at"),
  },
  (table) => [
    index("kept_outputs_account").on(table.accountId, table.outputId),
    index("kept_outputs_model").on(table.accountId, table.model, table.outputId),
    // Includes the account, so that other accounts' common words cost nothing.
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

/** The thumbnail of a stored file, made at its first view. The row is deleted with the file. */
export const previews = pgTable(
  "previews",
  {
    /** The object key of the file. */
    key: text("key").primaryKey(),
    accountId: accountId(),
    /** `none`: the file cannot be read, and is not tried again. */
    state: text("state").$type<"making" | "made" | "none">().notNull(),
    /** The thumbnail's own object key; during creation, the key that its creator will use. */
    previewKey: text("preview_key"),
    sizeBytes: bigint("size_bytes", { mode: "number" }).notNull().default(0),
    /** During creation: when another process may take over. */
    claimedUntil: time("claimed_until"),
    createdAt: createdAt(),
  },
  (table) => [index("previews_claimed").on(table.claimedUntil).where(sql`claimed_until is not null`)],
);

/**
 * An upload that arrives in parts: its unfinished object in the store, and its current writer. It has no
 * reference to its upload, because after a deletion it stays until the parts are removed from the store.
 */
export const uploadTransfers = pgTable("upload_transfers", {
  uploadId: text("upload_id").primaryKey(),
  accountId: text("account_id").notNull(),
  /** The key of the final object; also in the upload's `storage_key`. */
  key: text("key").notNull(),
  /** The store's id of the unfinished object; null before the store has issued it. */
  multipartId: text("multipart_id"),
  partBytes: integer("part_bytes").notNull(),
  /** The object with the beginning of the part that is not yet full. */
  tailKey: text("tail_key"),
  /** Increases with each writer: data from an earlier writer is refused. */
  epoch: integer("epoch").notNull(),
  /** Until this time no other writer is allowed. */
  leaseExpiresAt: time("lease_expires_at").notNull(),
  createdAt: createdAt(),
});

/** The received parts of an upload that arrives in parts, in order; the last one may still grow. */
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
    /**
     * The store's id of the part; null: it is not yet full, and its bytes are in the transfer's `tail_key`.
     */
    etag: text("etag"),
  },
  (table) => [primaryKey({ columns: [table.uploadId, table.number] })],
);
