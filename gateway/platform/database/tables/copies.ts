import type {
  AutomaticCopies,
  CopyErrorCode,
  CopyStatus,
  CopyTrigger,
  DestinationStatus,
} from "#contract/copy-constants.ts";
import { boolean, index, jsonb, pgTable, smallint, sql, text, unique } from "../drizzle.ts";
import { accounts } from "./accounts.ts";
import { createdAt, time } from "./columns.ts";
import { outputs } from "./outputs.ts";

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
