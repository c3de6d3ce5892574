import type { GoOnReason } from "#contract/aliases.ts";
import type { ApiType } from "#contract/catalog.ts";
import type { ConversationContents } from "#contract/conversations.ts";
import type {
  AutomaticCopies,
  CopyErrorCode,
  CopyStatus,
  CopyTrigger,
  DestinationStatus,
} from "#contract/copy-constants.ts";
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  sql,
  text,
  unique,
  uniqueIndex,
} from "../drizzle.ts";
import { accounts } from "./accounts.ts";
import { createdAt, time } from "./columns.ts";
import { outputs } from "./outputs.ts";
import { predictions } from "./predictions.ts";
import { sharedColumns } from "./shared-columns.ts";
import { webhookDeliveryKeys } from "./webhooks.ts";

/** A file of this gateway that a preset's input named when it was saved. */
export interface KeptMedia {
  /** JSON pointer. */
  path: string;
  /** The upload whose reference the input still has; null: it was removed from the input. */
  upload: string | null;
}

export const presets = pgTable(
  "presets",
  {
    ...sharedColumns(),
    apiType: text("api_type").$type<ApiType>().notNull(),
    /** Null stands where a file's reference was. */
    input: jsonb("input").$type<Record<string, unknown>>().notNull(),
    schemaVersion: integer("schema_version").notNull(),
    media: jsonb("media").$type<KeptMedia[]>().notNull(),
    /** When the first of the uploads that the input names ends; null: it names none. */
    mediaExpiresAt: time("media_expires_at"),
    createdAt: createdAt(),
    updatedAt: time("updated_at").notNull().defaultNow(),
  },
  (table) => [
    index("presets_account").on(table.accountId, table.id),
    uniqueIndex("presets_name").on(table.accountId, table.model, table.apiType, sql`lower(name)`),
    index("presets_media").on(table.mediaExpiresAt).where(sql`media_expires_at is not null`),
  ],
);

/** What presets were before their last changes. Those that the release before makes are missing. */
export const presetVersions = pgTable(
  "preset_versions",
  {
    presetId: text("preset_id")
      .notNull()
      .references(() => presets.id, { onDelete: "cascade" }),
    version: integer("version").notNull(),
    /** Who made the change that began it. */
    keyId: text("key_id"),
    userId: text("user_id"),
    name: text("name").notNull(),
    /** As in `presets`, and so are the next three. */
    input: jsonb("input").$type<Record<string, unknown>>().notNull(),
    schemaVersion: integer("schema_version").notNull(),
    media: jsonb("media").$type<KeptMedia[]>().notNull(),
    mediaExpiresAt: time("media_expires_at"),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.presetId, table.version] }),
    index("preset_versions_media").on(table.mediaExpiresAt).where(sql`media_expires_at is not null`),
  ],
);

/** Chats that members have saved for their account. */
export const conversations = pgTable(
  "conversations",
  {
    ...sharedColumns(),
    /** The model of the second column. */
    secondModel: text("second_model"),
    contents: jsonb("contents").$type<ConversationContents>().notNull(),
    createdAt: createdAt(),
    updatedAt: time("updated_at").notNull().defaultNow(),
  },
  (table) => [
    index("conversations_account").on(table.accountId, table.id),
    index("conversations_updated").on(table.updatedAt),
  ],
);

/** Notes on predictions and deliveries; each goes with what it is about. */
export const notes = pgTable(
  "notes",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    predictionId: text("prediction_id").references(() => predictions.id, { onDelete: "cascade" }),
    deliveryId: text("delivery_id"),
    /** Who wrote it, as in `predictions`. */
    keyId: text("key_id"),
    userId: text("user_id"),
    text: text("text").notNull(),
    createdAt: createdAt(),
    /** Null: it is as it was first written. */
    editedAt: time("edited_at"),
  },
  (table) => [
    check("notes_subject", sql`num_nonnulls(${table.predictionId}, ${table.deliveryId}) = 1`),
    /** By the delivery's keys, which never change: a key to the delivery itself would cost something at each attempt. */
    foreignKey({
      name: "notes_delivery",
      columns: [table.accountId, table.deliveryId],
      foreignColumns: [webhookDeliveryKeys.accountId, webhookDeliveryKeys.id],
    }).onDelete("cascade"),
    index("notes_of_delivery").on(table.accountId, table.deliveryId, table.id),
    index("notes_of_prediction").on(table.predictionId, table.id).where(sql`prediction_id is not null`),
  ],
);

/** An output of a link, with what was known of its run when it was shared. */
export interface SharedOutput {
  outputId: string;
  /** Null: not to be shown. */
  prompt: string | null;
  sandbox: boolean;
  width: number | null;
  height: number | null;
  /** Seconds. */
  duration: number | null;
}

/** Links that work. A row goes when its link is revoked or has ended; the audit log keeps who made it. No secret: see `newToken` in `shares/view.ts`. */
export const shares = pgTable(
  "shares",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** Who made it, as in `predictions`. */
    keyId: text("key_id"),
    userId: text("user_id"),
    outputs: jsonb("outputs").$type<SharedOutput[]>().notNull(),
    createdAt: createdAt(),
    expiresAt: time("expires_at").notNull(),
    openings: integer("openings").notNull().default(0),
    lastOpenedAt: time("last_opened_at"),
  },
  (table) => [
    index("shares_account").on(table.accountId, table.id),
    index("shares_expiry").on(table.expiresAt),
  ],
);

export interface CopyFailure {
  code: CopyErrorCode;
  message: string;
}

/** Never anything that tells of the keys. */
export interface CopyTry {
  at: string;
  durationMs: number | null;
  statusCode: number | null;
  error: CopyFailure | null;
  serverCode: string | null;
}

/** Whose attestations count: a member, or a service key by who answers for it. */
const askedBy = () => ({ userId: text("user_id"), keyId: text("key_id") });

/** A bucket of an account that outputs are copied to. */
export const destinations = pgTable(
  "destinations",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    endpointUrl: text("endpoint_url").notNull(),
    region: text("region").notNull(),
    bucket: text("bucket").notNull(),
    prefix: text("prefix").notNull(),
    pathStyle: boolean("path_style").notNull(),
    accessKeyId: text("access_key_id").notNull(),
    /** The secret access key, sealed for this row. */
    sealedBy: text("sealed_by").notNull(),
    ciphertext: text("ciphertext").notNull(),
    secretHint: text("secret_hint").notNull(),
    automatic: text("automatic").$type<AutomaticCopies>().notNull(),
    /** With `automatic` "chosen". */
    models: text("models").array().notNull(),
    status: text("status").$type<DestinationStatus>().notNull().default("active"),
    /** Who last said what is copied where: by their attestations files of gated models are copied by themselves. */
    ...askedBy(),
    lastCopiedAt: time("last_copied_at"),
    lastError: jsonb("last_error").$type<CopyFailure>(),
    lastErrorAt: time("last_error_at"),
    createdAt: createdAt(),
  },
  (table) => [
    index("destinations_account").on(table.accountId, table.id),
    /** Read with every file that a run makes. */
    index("destinations_automatic").on(table.accountId).where(sql`automatic <> 'off'`),
  ],
);

/** One file at one destination. The row is the job, which a worker leases, and the log of its attempts. */
export const copies = pgTable(
  "copies",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id").notNull(),
    destinationId: text("destination_id")
      .notNull()
      .references(() => destinations.id, { onDelete: "cascade" }),
    outputId: text("output_id")
      .notNull()
      .references(() => outputs.id, { onDelete: "cascade" }),
    status: text("status").$type<CopyStatus>().notNull().default("pending"),
    trigger: text("trigger").$type<CopyTrigger>().notNull(),
    /** Who asked for it; both null: nobody, the destination copies it by itself. */
    ...askedBy(),
    /** Attempts since it was last asked for. */
    tries: smallint("tries").notNull().default(0),
    attempts: jsonb("attempts").$type<CopyTry[]>().notNull().default([]),
    /** Null: it has ended, or its destination is paused. */
    nextAttemptAt: time("next_attempt_at").defaultNow(),
    /** When the attempt began that has not ended; still set when its process died. */
    startedAt: time("started_at"),
    leaseOwner: text("lease_owner"),
    leaseExpiresAt: time("lease_expires_at"),
    objectName: text("object_name"),
    createdAt: createdAt(),
    copiedAt: time("copied_at"),
  },
  (table) => [
    unique("copies_once").on(table.destinationId, table.outputId),
    index("copies_output").on(table.outputId),
    /** For every list: see `database/by-kind.ts`. */
    index("copies_kind").on(table.accountId, table.destinationId, table.status, table.id),
    /** Account first: a claim walks the accounts with work, so that no backlog hides another's. */
    index("copies_due")
      .on(table.accountId, table.nextAttemptAt)
      .where(sql`status in ('pending', 'copying') and next_attempt_at is not null`),
  ],
);

/** Names that stand for models, in the order in which these are tried. */
export const aliases = pgTable(
  "aliases",
  {
    id: text("id").primaryKey(),
    /** Null: an operator's, for everyone. */
    accountId: text("account_id").references(() => accounts.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    models: text("models").array().notNull(),
    goOnWhen: text("go_on_when").array().$type<GoOnReason[]>().notNull(),
    /** Whether a stream that breaks is continued by the next model. */
    continueStreams: boolean("continue_streams").notNull().default(false),
    createdAt: createdAt(),
    updatedAt: time("updated_at").notNull().defaultNow(),
  },
  (table) => [
    index("aliases_account").on(table.accountId, table.id),
    uniqueIndex("aliases_name").on(sql`coalesce(account_id, '')`, table.name),
  ],
);
