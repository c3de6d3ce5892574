import type { Metadata } from "#contract/metadata.ts";
import type { FailedTry } from "#contract/usage.ts";
import {
  bigint,
  boolean,
  customType,
  doublePrecision,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  real,
  smallint,
  sql,
  text,
} from "../drizzle.ts";
import { accounts } from "./accounts.ts";
import { amount, chargeColumns, createdAt, time } from "./columns.ts";

const bytes = customType<{ data: Buffer }>({ dataType: () => "bytea" });

/** Text that sorts by its bytes, as ULIDs do by time. */
const ulidText = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' });
/** An exact decimal in the database, where quantities are added. */
const quantity = (name: string) => numeric(name, { mode: "number" });

/**
 * What each run used, a line per kind that may have its own price. A line is written once, whatever
 * is repeated, and never changed: `usage/record.ts` writes it and adds it to the day in one statement.
 */
export const usageLines = pgTable(
  "usage_lines",
  {
    /** The ULID of the run's id, without `gen_` or `pred_`: sorted by it, lines are sorted by the run's admission. */
    run: ulidText("run").notNull(),
    /**
     * What was counted and what may set its price: `input_token`, `second:720P`, `image:1024x1024:high`. Earlier releases
     * wrote `token:input` for all input tokens, `token:output`, and `generation:…` for images.
     */
    kind: text("kind").notNull(),
    runPrefix: text("run_prefix").notNull(),
    unit: text("unit").notNull(),
    quantity: quantity("quantity").notNull(),
    accountId: text("account_id").notNull(),
    /** Null for a signed-in user. */
    keyId: text("key_id"),
    /** The member who asked, also with a personal key; null for a service key. */
    userId: text("user_id"),
    model: text("model").notNull(),
    provider: text("provider").notNull(),
    region: text("region").notNull(),
    /** The UTC date of the run's admission, and so the row of `usage_daily` that holds this line. */
    day: text("day").notNull(),
    /** The batch that the run was a row of. */
    batchId: text("batch_id"),
    /** The version of the price, and the place of the component in it; null: not priced, or the sandbox. */
    priceId: text("price_id"),
    component: smallint("component"),
    /** What it cost the operator. */
    cost: amount("cost"),
    /** The account's own price, or the markup on the cost; null: the account pays the cost. */
    sellingId: text("selling_id"),
    /** In the account's own price. */
    sellingComponent: smallint("selling_component"),
    /** What the account pays. */
    charge: amount("charge"),
  },
  (table) => [primaryKey({ columns: [table.run, table.kind] })],
);

/**
 * Sums of the lines per UTC day with all that tells amounts apart; they stay when the lines go. Texts are empty where there
 * is none, so that they can be part of the key. Rows of before prices have the unit as their kind.
 */
export const usageSums = pgTable(
  "usage_sums",
  {
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    day: text("day").notNull(),
    model: text("model").notNull(),
    provider: text("provider").notNull(),
    region: text("region").notNull(),
    kind: text("kind").notNull(),
    unit: text("unit").notNull(),
    priceId: text("price_id").notNull(),
    sellingId: text("selling_id").notNull(),
    batchId: text("batch_id").notNull(),
    /** The key, or the user who was signed in. */
    keyId: text("key_id").notNull(),
    quantity: quantity("quantity").notNull(),
    /** Runs, each counted at one of its lines, so that they can be added up over kinds. */
    runs: integer("runs").notNull(),
    cost: amount("cost"),
    charge: amount("charge"),
  },
  (table) => [
    primaryKey({
      name: "usage_sums_key",
      columns: [
        table.accountId,
        table.day,
        table.model,
        table.kind,
        table.provider,
        table.region,
        table.keyId,
        table.priceId,
        table.sellingId,
        table.batchId,
      ],
    }),
    index("usage_sums_day").on(table.day),
    index("usage_sums_batch").on(table.batchId).where(sql`batch_id <> ''`),
  ],
);

/**
 * Sums of the lines per UTC day, which stay when the lines go. `key_id` is the key, or the user who was signed in; it is
 * empty for those of earlier releases.
 */
export const usageDaily = pgTable(
  "usage_daily",
  {
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    day: text("day").notNull(),
    model: text("model").notNull(),
    unit: text("unit").notNull(),
    keyId: text("key_id").notNull().default(""),
    quantity: quantity("quantity").notNull().default(0),
    /** Runs. */
    requests: integer("requests").notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.day, table.model, table.unit, table.keyId] }),
    // A key's usage this month is read while it works; the primary key would scan the whole account.
    index("usage_daily_key").on(table.keyId, table.day),
  ],
);

/** The same by the values of the metadata keys that the account has named, of the runs that had them. */
export const usageByMetadata = pgTable(
  "usage_by_metadata",
  {
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    day: text("day").notNull(),
    key: text("key").notNull(),
    /** Empty: all values beyond those that a day may have. */
    value: text("value").notNull(),
    model: text("model").notNull(),
    unit: text("unit").notNull(),
    quantity: quantity("quantity").notNull().default(0),
    requests: integer("requests").notNull().default(0),
    cost: amount("cost"),
    charge: amount("charge"),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.day, table.key, table.value, table.model, table.unit] }),
  ],
);

/**
 * What runs of keys with a budget may use, from admission to end; a prediction's is in its own row once
 * it is accepted. Renewed while the run's process lives, so that the reservations of a killed one expire.
 */
export const budgetReservations = pgTable(
  "budget_reservations",
  {
    runId: text("run_id").primaryKey(),
    /** The key, or the user with their account (`payerOf`). */
    keyId: text("key_id").notNull(),
    unit: text("unit").notNull(),
    quantity: quantity("quantity").notNull(),
    /** The month of the run's admission (UTC), as `2026-11`. */
    month: text("month").notNull(),
    expiresAt: time("expires_at").notNull(),
  },
  (table) => [index("budget_reservations_key").on(table.keyId)],
);

/**
 * The kind of a request, as `request_logs_kind` is written: status, route, model, whether a signed-in person sent it,
 * and whether it is anything but a read of the console.
 */
export const requestKind = [
  sql`status`,
  sql`route`,
  sql`coalesce(model, '')`,
  sql`(key_id is null)`,
  sql`(method <> 'GET' or (key_id is not null and from_session is not true))`,
] as const;

export const requestLogs = pgTable(
  "request_logs",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id").notNull(),
    at: time("at").notNull(),
    method: text("method").notNull(),
    route: text("route").notNull(),
    status: integer("status").notNull(),
    code: text("code"),
    model: text("model"),
    region: text("region"),
    /** Who ran the operation, or was tried last; null for other requests, and in rows of earlier releases. */
    provider: text("provider"),
    /** The name that stood for the model, where the request said one. */
    alias: text("alias"),
    /** What the caller said of the request for its own use. */
    metadata: jsonb("metadata").$type<Metadata>(),
    keyId: text("key_id"),
    /** The member who sent it, also with a personal key. Null: a service key, or a row of an earlier release. */
    userId: text("user_id"),
    durationMs: doublePrecision("duration_ms").notNull(),
    usageUnit: text("usage_unit"),
    usageQuantity: doublePrecision("usage_quantity"),
    /** Sent with the token of a session, as the console does. Null in rows of earlier releases. */
    fromSession: boolean("from_session"),
    /** The sync run, whose lines say what it used and cost, or the prediction that it led to. */
    runId: text("run_id"),
    ...chargeColumns(),
    /** How many requests a row stands for that a limit rejected. Null: one. */
    count: integer("count"),
    bytesIn: bigint("bytes_in", { mode: "number" }),
    bytesOut: bigint("bytes_out", { mode: "number" }),
    /** Of `usage_quantity`. */
    tokensOut: integer("tokens_out"),
    /** When an upstream was asked first, and when the one that answered began and ended, in milliseconds since the request arrived. */
    askedMs: real("asked_ms"),
    firstMs: real("first_ms"),
    answeredMs: real("answered_ms"),
    /** The tries that failed. */
    failedTries: jsonb("failed_tries").$type<FailedTry[]>(),
  },
  (table) => [
    // Each index costs every request something: this one serves the list and all its filters whose values are few.
    index("request_logs_kind").on(table.accountId, ...requestKind, table.id),
    index("request_logs_key").on(table.accountId, table.keyId, table.id).where(sql`key_id is not null`),
    index("request_logs_user").on(table.accountId, table.userId, table.id).where(sql`user_id is not null`),
    // Most requests have no error, and cost nothing here.
    index("request_logs_metadata")
      .using("gin", sql`metadata jsonb_path_ops`)
      .where(sql`metadata is not null`),
    index("request_logs_code").on(table.accountId, table.code, table.id).where(sql`code is not null`),
  ],
);

/** One row per `Idempotency-Key`; `response_status` is null while the first request still runs. */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    route: text("route").notNull(),
    key: text("key").notNull(),
    fingerprint: text("fingerprint").notNull(),
    owner: text("owner").notNull(),
    responseStatus: integer("response_status"),
    responseHeaders: jsonb("response_headers").$type<Record<string, string>>(),
    responseBody: bytes("response_body"),
    createdAt: createdAt(),
    /** The process of an unfinished request renews it; null in a row of an earlier release. */
    claimedUntil: time("claimed_until"),
    expiresAt: time("expires_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.route, table.key] }),
    index("idempotency_keys_expiry").on(table.expiresAt),
  ],
);
