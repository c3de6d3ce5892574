import type { AttestationKind } from "#contract/attestations.ts";
import type { RegionName } from "#contract/catalog.ts";
import type { Metadata } from "#contract/metadata.ts";
import type { TimelineEvent } from "#contract/prediction.ts";
import type { ProviderWishes } from "#contract/provider-wishes.ts";
import type { FilePurpose } from "#contract/upload-constants.ts";
import type { ProviderRef } from "#gateway/platform/core/provider-error.ts";
import type { Usage } from "#gateway/platform/core/usage.ts";
import {
  bigint,
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  sql,
  text,
} from "../drizzle.ts";
import { accountId, accounts } from "./accounts.ts";
import { chargeColumns, createdAt, time } from "./columns.ts";

/** An output of a prediction or sync operation in the object store. */
export interface StoredOutput {
  key: string;
  contentType: string;
  sizeBytes: number;
  width: number | null;
  height: number | null;
  /** Seconds. */
  duration: number | null;
  /** The sha256 of its bytes, in hexadecimal; missing for files of earlier releases. */
  sha256?: string;
}

/** An input file stored for the run in the object store. */
export interface StoredInput {
  path: string;
  kind: "image" | "audio" | "video";
  contentType: string;
  sizeBytes: number;
  key: string;
  /** As in `StoredOutput`. */
  sha256?: string;
}

/**
 * Content of a receipt that must be recorded when the run settles: see `runs/provenance/receipts`. Hashes are
 * in hexadecimal.
 */
export interface ReceiptFacts {
  /** Not set for a prediction, because its row has a column for the provider. */
  provider?: string | null;
  /** The gates that the run passed. A gate that is confirmed with each request has no statement version. */
  gates: { gate: string; statementVersion: string | null }[];
  input: SaltedHash;
  /** Only for a response: its output items. */
  output?: SaltedHash;
  /** Null for a file without a hash. */
  outputFiles: (SaltedHash | null)[];
}

export interface SaltedHash {
  salt: string;
  sha256: string;
}

/** A run that succeeded, and what guards have answered about its outputs so far. */
export interface UncheckedRun {
  usage: Usage;
  /** How often the guards were asked and one of them failed. */
  failures: number;
}

/** The row is its own job: a worker leases it (`lease_*`) while `next_check_at` is due. */
export const predictions = pgTable(
  "predictions",
  {
    id: text("id").primaryKey(),
    accountId: accountId(),
    keyId: text("key_id"),
    /** The requesting member, also if their personal key was used; null for a service key. */
    userId: text("user_id"),
    requestId: text("request_id"),
    model: text("model").notNull(),
    /** The alias that the request named, as in `request_logs`. */
    alias: text("alias"),
    metadata: jsonb("metadata").$type<Metadata>(),
    /** The revision of the operator's entry at acceptance; null: an entry of the specification. */
    entryRevision: integer("entry_revision"),
    apiType: text("api_type").notNull(),
    svcRegion: text("svc_region").notNull(),
    /** Other regions to start in if it certainly did not start in `region`, best first. */
    otherRegions: jsonb("other_regions").$type<RegionName[]>(),
    /** What the request wishes of its providers. */
    wishes: jsonb("wishes").$type<ProviderWishes>(),
    status: text("status").notNull().default("starting"),
    input: jsonb("input").$type<Record<string, unknown>>(),
    media: jsonb("media").$type<StoredInput[]>().notNull().default([]),
    outputs: jsonb("outputs").$type<StoredOutput[]>(),
    /** The size of `media` and `outputs`, set by a trigger; null for rows without files. */
    storedBytes: bigint("stored_bytes", { mode: "number" }),
    error: jsonb("error").$type<{ code: string; message: string; type: string }>(),
    usageUnit: text("usage_unit"),
    usageQuantity: doublePrecision("usage_quantity"),
    ...chargeColumns(),
    /** The batch that this prediction is a row of. */
    batchId: text("batch_id"),
    /** Its reservation in its key's budget until it has ended. Null without a budget. */
    reservedUnit: text("reserved_unit"),
    reservedQuantity: numeric("reserved_quantity", { mode: "number" }),
    /** Its reservation in money budgets until it has ended. Null without one. */
    reservedCost: numeric("reserved_cost"),
    progress: integer("progress"),
    sandbox: boolean("sandbox").notNull().default(false),
    timeline: jsonb("timeline").$type<TimelineEvent[]>().notNull().default([]),
    /** Null until the prediction has ended, and if a release without receipts ended it. */
    receipt: jsonb("receipt").$type<ReceiptFacts>(),
    /**
     * Set while guards are asked about its stored outputs, which nobody may see before. Null: they were not asked, or
     * have answered.
     */
    unchecked: jsonb("unchecked").$type<UncheckedRun>(),
    /** Set before the upstream is called, so that after a crash in between the outcome counts as unknown. */
    dispatchedAt: time("dispatched_at"),
    providerRef: jsonb("provider_ref").$type<ProviderRef>(),
    /**
     * The provider that runs it; unlike the reference, it stays when the data is removed. Null in rows of
     * earlier releases.
     */
    provider: text("provider"),
    nextCheckAt: time("next_check_at").notNull().defaultNow(),
    deadlineAt: time("deadline_at").notNull(),
    /** The span under which the prediction's trace continues, as a W3C `traceparent`; null without one. */
    traceParent: text("trace_parent"),
    leaseOwner: text("lease_owner"),
    leaseExpiresAt: time("lease_expires_at"),
    createdAt: createdAt(),
    startedAt: time("started_at"),
    completedAt: time("completed_at"),
    expiresAt: time("expires_at"),
    dataRemovedAt: time("data_removed_at"),
  },
  (table) => [
    index("predictions_account").on(table.accountId, table.id),
    index("predictions_account_status").on(table.accountId, table.status, table.id),
    index("predictions_kind").on(
      table.accountId,
      table.status,
      table.model,
      table.apiType,
      table.svcRegion,
      table.id,
    ),
    index("predictions_user").on(table.accountId, table.userId, table.id).where(sql`user_id is not null`),
    index("predictions_key").on(table.accountId, table.keyId, table.id).where(sql`key_id is not null`),
    index("predictions_metadata").using("gin", sql`metadata jsonb_path_ops`).where(sql`metadata is not null`),
    index("predictions_request").on(table.requestId),
    index("predictions_due_account")
      .on(table.accountId, table.nextCheckAt)
      .where(sql`status in ('starting', 'processing')`),
    // Only the previous release reads it.
    index("predictions_due").on(table.nextCheckAt).where(sql`status in ('starting', 'processing')`),
    index("predictions_reserved")
      .on(table.keyId)
      .where(sql`reserved_quantity is not null and status in ('starting', 'processing')`),
    index("predictions_reserved_user")
      .on(table.userId)
      .where(sql`reserved_quantity is not null and status in ('starting', 'processing')`),
    index("predictions_expiry")
      .on(table.expiresAt)
      .where(sql`expires_at is not null and data_removed_at is null`),
  ],
);

/**
 * Files without a row in another table: outputs of sync operations, and files stored before their row is
 * written. The table's name fits only the first use, and stays because a process of the previous release may
 * be running.
 */
export const reservedFiles = pgTable(
  "generations",
  {
    id: text("id").primaryKey(),
    accountId: accountId(),
    /** The previous release writes it without `sizeBytes`. */
    files: jsonb("outputs").$type<{ key: string; sizeBytes?: number }[]>().notNull(),
    createdAt: createdAt(),
    expiresAt: time("expires_at").notNull(),
  },
  (table) => [index("generations_expiry").on(table.expiresAt)],
);

/**
 * Voices that upstreams enrolled, with the owning account: at the upstream all belong to the gateway's own
 * account.
 */
export const enrolledVoices = pgTable(
  "enrolled_voices",
  {
    id: text("id").notNull(),
    /** The provider's name in the providers file. */
    provider: text("provider").notNull(),
    region: text("region").notNull(),
    accountId: accountId(),
    model: text("model").notNull(),
    targetModel: text("target_model"),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.provider, table.region, table.id] }),
    index("enrolled_voices_account").on(table.accountId, table.provider, table.region, table.model),
  ],
);

/** Voices that the sandbox enrolled. */
export const sandboxVoices = pgTable(
  "sandbox_voices",
  {
    id: text("id").primaryKey(),
    accountId: accountId(),
    model: text("model").notNull(),
    targetModel: text("target_model"),
    profile: jsonb("profile").$type<Record<string, unknown>>().notNull(),
    createdAt: createdAt(),
  },
  (table) => [index("sandbox_voices_account").on(table.accountId, table.model, table.id)],
);

export const uploads = pgTable(
  "uploads",
  {
    id: text("id").primaryKey(),
    accountId: accountId(),
    /** As in `predictions`. */
    keyId: text("key_id"),
    userId: text("user_id"),
    status: text("status").notNull().default("pending"),
    contentType: text("content_type").notNull(),
    sizeBytes: bigint("size_bytes", { mode: "number" }).notNull(),
    filename: text("filename"),
    /** The purpose that an OpenAI client gave the upload; null if another client sent it. */
    purpose: text("purpose").$type<FilePurpose>(),
    /** The attestations of the models that batches ran with this table: nobody else reads it. */
    gates: jsonb("gates").$type<AttestationKind[]>(),
    expectedSha256: text("expected_sha256"),
    /** The stored bytes of a pending upload that arrives in parts. */
    receivedBytes: bigint("received_bytes", { mode: "number" }).notNull().default(0),
    /**
     * The object key of the accepted bytes; for a pending upload, of the keys that transfers write to; null
     * once it has expired.
     */
    storageKey: text("storage_key"),
    sha256: text("sha256"),
    error: jsonb("error").$type<{ code: string; message: string }>(),
    createdAt: createdAt(),
    urlExpiresAt: time("url_expires_at").notNull(),
    uploadedAt: time("uploaded_at"),
    verifiedAt: time("verified_at"),
    objectExpiresAt: time("object_expires_at"),
  },
  (table) => [
    index("uploads_account").on(table.accountId, table.id),
    index("uploads_kind").on(table.accountId, table.status, sql`split_part(content_type, '/', 1)`, table.id),
    index("uploads_user").on(table.accountId, table.userId, table.id).where(sql`user_id is not null`),
    index("uploads_key").on(table.accountId, table.keyId, table.id).where(sql`key_id is not null`),
    index("uploads_url_expiry").on(table.urlExpiresAt).where(sql`status = 'pending'`),
    index("uploads_object_expiry").on(table.objectExpiresAt).where(sql`status in ('uploaded', 'verified')`),
  ],
);

/**
 * The total bytes of an account's stored files, so that the limit is checked with one row. Triggers of
 * `uploads`, `predictions`, `generations`, `previews` and others maintain it.
 */
export const accountStorage = pgTable("account_storage", {
  accountId: text("account_id")
    .primaryKey()
    .references(() => accounts.id, { onDelete: "cascade" }),
  bytes: bigint("bytes", { mode: "number" }).notNull().default(0),
});
