import type { GoOnReason } from "#contract/alias-constants.ts";
import type { ApiType } from "#contract/catalog.ts";
import type { ConversationContents } from "#contract/conversations.ts";
import type {
  AutomaticCopies,
  CopyErrorCode,
  CopyStatus,
  CopyTrigger,
  DestinationStatus,
} from "#contract/copy-constants.ts";
import type { ReportReason, ReportStatus } from "#contract/share-constants.ts";
import type { ViewList } from "#contract/view-constants.ts";
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
import { accountId, accounts, members } from "./accounts.ts";
import { createdAt, time } from "./columns.ts";
import { outputs } from "./outputs.ts";
import { predictions } from "./predictions.ts";
import { webhookDeliveryKeys } from "./webhooks.ts";

/** A file of this gateway that a preset's input referred to when it was saved. */
export interface KeptMedia {
  /** JSON pointer. */
  path: string;
  /** The upload that the input still refers to; null: the reference was removed from the input. */
  upload: string | null;
}

/**
 * The first columns of presets and conversations: members create them for their account, name them, and
 * change them.
 */
const sharedColumns = () => ({
  id: text("id").primaryKey(),
  accountId: accountId(),
  /** The creator, as in `predictions`. */
  keyId: text("key_id"),
  userId: text("user_id"),
  /**
   * Counts changes, so that two people do not overwrite each other's. The previous release does not count
   * changes of presets.
   */
  version: integer("version").notNull().default(1),
  /** The last person or key to change it; both null: unchanged since its creation. */
  changedByKeyId: text("changed_by_key_id"),
  changedByUserId: text("changed_by_user_id"),
  name: text("name").notNull(),
  model: text("model").notNull(),
});

export const presets = pgTable(
  "presets",
  {
    ...sharedColumns(),
    apiType: text("api_type").$type<ApiType>().notNull(),
    /** The input, with null in place of references to files. */
    input: jsonb("input").$type<Record<string, unknown>>().notNull(),
    schemaVersion: integer("schema_version").notNull(),
    media: jsonb("media").$type<KeptMedia[]>().notNull(),
    /** When the first of the referenced uploads expires; null without uploads. */
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

/**
 * Earlier versions of presets. The previous release does not write versions, so its changes are missing here.
 */
export const presetVersions = pgTable(
  "preset_versions",
  {
    presetId: text("preset_id")
      .notNull()
      .references(() => presets.id, { onDelete: "cascade" }),
    version: integer("version").notNull(),
    /** The author of the change that created this version. */
    keyId: text("key_id"),
    userId: text("user_id"),
    name: text("name").notNull(),
    /** This column and the next three are as in `presets`. */
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

/** Notes on predictions and deliveries; each is deleted with its subject. */
export const notes = pgTable(
  "notes",
  {
    id: text("id").primaryKey(),
    accountId: accountId(),
    predictionId: text("prediction_id").references(() => predictions.id, { onDelete: "cascade" }),
    deliveryId: text("delivery_id"),
    /** The author, as in `predictions`. */
    keyId: text("key_id"),
    userId: text("user_id"),
    text: text("text").notNull(),
    createdAt: createdAt(),
    /** Null: unchanged since it was written. */
    editedAt: time("edited_at"),
  },
  (table) => [
    check("notes_subject", sql`num_nonnulls(${table.predictionId}, ${table.deliveryId}) = 1`),
    /**
     * Refers to the delivery's keys, which never change: a foreign key to the delivery itself would add cost
     * to each attempt.
     */
    foreignKey({
      name: "notes_delivery",
      columns: [table.accountId, table.deliveryId],
      foreignColumns: [webhookDeliveryKeys.accountId, webhookDeliveryKeys.id],
    }).onDelete("cascade"),
    index("notes_of_delivery").on(table.accountId, table.deliveryId, table.id),
    index("notes_of_prediction").on(table.predictionId, table.id).where(sql`prediction_id is not null`),
  ],
);

/** The filters of a list under a name. A member's own views are deleted with the membership. */
export const views = pgTable(
  "views",
  {
    id: text("id").primaryKey(),
    accountId: accountId(),
    /** The member who keeps it. Null: it is shared in the account. */
    userId: text("user_id"),
    list: text("list").$type<ViewList>().notNull(),
    name: text("name").notNull(),
    filters: jsonb("filters").$type<Record<string, string>>().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    foreignKey({
      name: "views_member",
      columns: [table.accountId, table.userId],
      foreignColumns: [members.accountId, members.userId],
    }).onDelete("cascade"),
    index("views_account").on(table.accountId, table.userId),
  ],
);

/** An output of a share link, with the facts about its run at the time of sharing. */
export interface SharedOutput {
  outputId: string;
  /** Null: the link does not show the prompt. */
  prompt: string | null;
  sandbox: boolean;
  width: number | null;
  height: number | null;
  /** Seconds. */
  duration: number | null;
}

/**
 * Working share links. A row is deleted when its link is revoked or expires; the audit log keeps its creator.
 * Contains no secret: see `tokenOf` in `shares/open-links.ts`.
 */
export const shares = pgTable(
  "shares",
  {
    id: text("id").primaryKey(),
    accountId: accountId(),
    /** The creator, as in `predictions`. */
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

/** A report from the public page of a link: somebody says that a file should not be there. */
export const reports = pgTable(
  "reports",
  {
    id: text("id").primaryKey(),
    accountId: accountId(),
    /** The link, which may have ended since. */
    shareId: text("share_id").notNull(),
    /** The output that is reported, and the sha256 (hex) of its file. */
    outputId: text("output_id").notNull(),
    sha256: text("sha256").notNull(),
    reason: text("reason").$type<ReportReason>().notNull(),
    comment: text("comment").notNull(),
    /** The e-mail address to answer. */
    email: text("email").notNull(),
    /** The decision of the account's owners. */
    status: text("status").$type<ReportStatus>().notNull().default("open"),
    decidedAt: time("decided_at"),
    /** How many files the removal has deleted so far. */
    removedFiles: integer("removed_files").notNull().default(0),
    /** The decision of the operators, which is independent: they remove the file in all accounts. */
    operatorStatus: text("operator_status").$type<ReportStatus>().notNull().default("open"),
    operatorDecidedAt: time("operator_decided_at"),
    operatorRemovedFiles: integer("operator_removed_files").notNull().default(0),
    createdAt: createdAt(),
  },
  (table) => [
    index("reports_account").on(table.accountId, table.id),
    index("reports_removing")
      .on(table.sha256)
      .where(sql`status = 'removing' or operator_status = 'removing'`),
    index("reports_share").on(table.shareId),
    index("reports_hash").on(table.sha256),
  ],
);

/** The sha256 (hex) of files that may not be kept or shared again, in one account or in the installation. */
export const barredFiles = pgTable(
  "barred_files",
  {
    sha256: text("sha256").notNull(),
    /** An account; or `installation`: everywhere. */
    scope: text("scope").notNull(),
    /** Null: everywhere. */
    accountId: text("account_id").references(() => accounts.id, { onDelete: "cascade" }),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.sha256, table.scope] }),
    index("barred_files_account").on(table.accountId),
  ],
);

export interface CopyFailure {
  code: CopyErrorCode;
  message: string;
}

/** Never contains anything about the keys. */
export interface CopyTry {
  at: string;
  durationMs: number | null;
  statusCode: number | null;
  error: CopyFailure | null;
  serverCode: string | null;
}

/** The user whose attestations apply: the member, or for a service key the person responsible. */
const askedBy = () => ({ userId: text("user_id"), keyId: text("key_id") });

/** A bucket to which an account's outputs are copied. */
export const destinations = pgTable(
  "destinations",
  {
    id: text("id").primaryKey(),
    accountId: accountId(),
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
    /** The models copied automatically if `automatic` is "chosen". */
    models: text("models").array().notNull(),
    status: text("status").$type<DestinationStatus>().notNull().default("active"),
    /**
     * The last person or key to set what is copied where: their attestations authorise automatic copies of
     * files from gated models.
     */
    ...askedBy(),
    lastCopiedAt: time("last_copied_at"),
    lastError: jsonb("last_error").$type<CopyFailure>(),
    lastErrorAt: time("last_error_at"),
    createdAt: createdAt(),
  },
  (table) => [
    index("destinations_account").on(table.accountId, table.id),
    /** This index is read for every file that a run makes. */
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
    /** The person or key that requested the copy; both null: an automatic copy. */
    ...askedBy(),
    /** Attempts since it was last requested. */
    tries: smallint("tries").notNull().default(0),
    attempts: jsonb("attempts").$type<CopyTry[]>().notNull().default([]),
    /** When the copy is tried next. Null: the copy has ended, or its destination is paused. */
    nextAttemptAt: time("next_attempt_at").defaultNow(),
    /** When the running attempt began; still set if its process died. */
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
    /** The index of every list: see `idsByKind`. */
    index("copies_kind").on(table.accountId, table.destinationId, table.status, table.id),
    /**
     * Account first: a claim walks the accounts with work, so that a backlog does not hide another account's.
     */
    index("copies_due")
      .on(table.accountId, table.nextAttemptAt)
      .where(sql`status in ('pending', 'copying') and next_attempt_at is not null`),
  ],
);

/** Aliases, with their models in the order in which these are tried. */
export const aliases = pgTable(
  "aliases",
  {
    id: text("id").primaryKey(),
    /** Null: an operator's alias, for all accounts. */
    accountId: text("account_id").references(() => accounts.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    models: text("models").array().notNull(),
    goOnWhen: text("go_on_when").array().$type<GoOnReason[]>().notNull(),
    /** Whether the next model continues a broken stream. */
    continueStreams: boolean("continue_streams").notNull().default(false),
    createdAt: createdAt(),
    updatedAt: time("updated_at").notNull().defaultNow(),
  },
  (table) => [
    index("aliases_account").on(table.accountId, table.id),
    uniqueIndex("aliases_name").on(sql`coalesce(account_id, '')`, table.name),
  ],
);
