import type { Metadata } from "#contract/metadata.ts";
import type { AskedGuard, ContentsState, FailedTry, UpstreamKey } from "#contract/usage.ts";
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
import { accountId } from "./accounts.ts";
import { amount, chargeColumns, createdAt, time } from "./columns.ts";

const bytes = customType<{ data: Buffer }>({ dataType: () => "bytea" });

/** Text sorted by its bytes, so that ULIDs sort by time. */
const ulidText = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' });
/** An exact decimal, because the database adds quantities up. */
const quantity = (name: string) => numeric(name, { mode: "number" });

/**
 * The usage of each run: one line per kind that may have its own price. A line is written only once, even if
 * the write is repeated, and never changed: `usage/record.ts` writes it and adds it to the day in one
 * statement.
 */
export const usageLines = pgTable(
  "usage_lines",
  {
    /**
     * The ULID of the run's id, without `gen_` or `pred_`: sorting lines by it sorts them by the time of
     * admission.
     */
    run: ulidText("run").notNull(),
    /**
     * The counted unit and everything that may set its price: `input_token`, `second:720P`,
     * `image:1024x1024:high`. Earlier releases wrote `token:input` for all input tokens, `token:output`, and
     * `generation:…` for images.
     */
    kind: text("kind").notNull(),
    runPrefix: text("run_prefix").notNull(),
    unit: text("unit").notNull(),
    quantity: quantity("quantity").notNull(),
    accountId: text("account_id").notNull(),
    /** Null for a signed-in user. */
    keyId: text("key_id"),
    /** The requesting member, also if their personal key was used; null for a service key. */
    userId: text("user_id"),
    model: text("model").notNull(),
    provider: text("provider").notNull(),
    region: text("region").notNull(),
    /** The UTC date of the run's admission, which selects its row of `usage_daily`. */
    day: text("day").notNull(),
    /** The batch that the run was a row of. */
    batchId: text("batch_id"),
    /** The version of the price, and the index of the component in it; null: not priced, or the sandbox. */
    priceId: text("price_id"),
    component: smallint("component"),
    /** The operator's cost. */
    cost: amount("cost"),
    /** The account's own price, or the markup on the cost; null: the account pays the cost. */
    sellingId: text("selling_id"),
    /** The index of the component in the account's own price. */
    sellingComponent: smallint("selling_component"),
    /** The account's charge. */
    charge: amount("charge"),
    /** The provider's key of a sync run, if it has several. Null in lines of earlier releases. */
    upstreamKey: text("upstream_key"),
    /**
     * What tokens that a provider's cache read or wrote would have cost as ordinary input, less their cost. Null:
     * other lines, and lines without a price.
     */
    savedCost: amount("saved_cost"),
    /** The same of the charge. */
    savedCharge: amount("saved_charge"),
  },
  (table) => [primaryKey({ columns: [table.run, table.kind] })],
);

/**
 * Daily (UTC) sums of the lines with everything that distinguishes amounts; they stay when the lines are
 * deleted. Missing texts are empty, so that they can be part of the key. Rows from before prices existed have
 * the unit as their kind.
 */
export const usageSums = pgTable(
  "usage_sums",
  {
    accountId: accountId(),
    day: text("day").notNull(),
    model: text("model").notNull(),
    provider: text("provider").notNull(),
    region: text("region").notNull(),
    kind: text("kind").notNull(),
    unit: text("unit").notNull(),
    priceId: text("price_id").notNull(),
    sellingId: text("selling_id").notNull(),
    batchId: text("batch_id").notNull(),
    /** The key, or the signed-in user. */
    keyId: text("key_id").notNull(),
    quantity: quantity("quantity").notNull(),
    /** Runs, each counted at only one of its lines, so that they can be added over kinds. */
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
 * Daily (UTC) sums of the runs that count tokens: how many came from the provider's cache, and what that saved.
 * It is beside `usage_sums` because that table's key cannot get a column while the previous release writes it.
 */
export const promptCacheDays = pgTable(
  "prompt_cache_days",
  {
    accountId: accountId(),
    day: text("day").notNull(),
    model: text("model").notNull(),
    provider: text("provider").notNull(),
    /** Empty: the provider has one key. */
    upstreamKey: text("upstream_key").notNull(),
    /** The key, or the signed-in user. */
    keyId: text("key_id").notNull(),
    inputTokens: quantity("input_tokens").notNull(),
    cachedTokens: quantity("cached_tokens").notNull(),
    runs: integer("runs").notNull(),
    /** The runs without a cost, and without a charge. */
    costNotPriced: integer("cost_not_priced").notNull(),
    chargeNotPriced: integer("charge_not_priced").notNull(),
    savedCost: amount("saved_cost"),
    savedCharge: amount("saved_charge"),
  },
  (table) => [
    primaryKey({
      name: "prompt_cache_days_key",
      columns: [table.accountId, table.day, table.model, table.provider, table.upstreamKey, table.keyId],
    }),
    index("prompt_cache_days_day").on(table.day),
  ],
);

/**
 * Daily sums by account, day, model and unit, for pages that group by nothing else. Triggers on `usage_sums`
 * maintain them. New sums and growth of earlier sums go to different rows, so that each statement locks these
 * rows in one order.
 */
export const usageModelDays = pgTable(
  "usage_model_days",
  {
    accountId: accountId(),
    day: text("day").notNull(),
    model: text("model").notNull(),
    unit: text("unit").notNull(),
    isGrowth: boolean("is_growth").notNull(),
    quantity: quantity("quantity").notNull(),
    runs: integer("runs").notNull(),
    cost: amount("cost"),
    /** `…NotPriced`: the runs in sums that have no cost, or no charge. */
    costNotPriced: integer("cost_not_priced").notNull(),
    charge: amount("charge"),
    chargeNotPriced: integer("charge_not_priced").notNull(),
  },
  (table) => [
    primaryKey({
      name: "usage_model_days_key",
      columns: [table.accountId, table.day, table.model, table.unit, table.isGrowth],
    }),
    index("usage_model_days_day").on(table.day),
  ],
);

/**
 * Daily (UTC) sums of the lines, which stay when the lines are deleted. `key_id` is the key or the signed-in
 * user; empty in rows of earlier releases.
 */
export const usageDaily = pgTable(
  "usage_daily",
  {
    accountId: accountId(),
    day: text("day").notNull(),
    model: text("model").notNull(),
    unit: text("unit").notNull(),
    keyId: text("key_id").notNull().default(""),
    quantity: quantity("quantity").notNull().default(0),
    /** The number of runs. */
    requests: integer("requests").notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.day, table.model, table.unit, table.keyId] }),
    // Every request of a key reads the key's usage of this month; the primary key would scan the whole
    // account.
    index("usage_daily_key").on(table.keyId, table.day),
  ],
);

/** The daily sums by the values of the account's chosen metadata keys, for runs that send these keys. */
export const usageByMetadata = pgTable(
  "usage_by_metadata",
  {
    accountId: accountId(),
    day: text("day").notNull(),
    key: text("key").notNull(),
    /** Empty: all values beyond the daily maximum. */
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
 * How much running work may still use, for runs of keys with a budget, from admission to end. For an accepted
 * prediction this is in the prediction's row. Renewed while the run's process lives, so that reservations of
 * a killed process expire.
 */
export const budgetReservations = pgTable(
  "budget_reservations",
  {
    runId: text("run_id").primaryKey(),
    /** The key, or the user with their account (`payerOf`). */
    keyId: text("key_id").notNull(),
    unit: text("unit").notNull(),
    quantity: quantity("quantity").notNull(),
    /** The month of the run's admission (UTC), such as `2026-11`. */
    month: text("month").notNull(),
    expiresAt: time("expires_at").notNull(),
  },
  (table) => [index("budget_reservations_key").on(table.keyId)],
);

/**
 * The columns of the index `request_logs_kind`: status, route, model, whether a signed-in person sent it, and
 * whether it is anything other than a read by the console.
 */
export const requestKind = [
  sql`status`,
  sql`route`,
  sql`coalesce(model, '')`,
  sql`(key_id is null)`,
  sql`(method <> 'GET' or (key_id is not null and from_session is not true))`,
] as const;

/** What the request log keeps of an error, beside its code. */
export interface LoggedFailure {
  /** The sentence that the caller got. */
  message: string;
  param: string | null;
  /** The model that the request named, if it ran on none. It may not exist. */
  model: string | null;
}

/** The model that a failed request named. */
export const failedModel = sql`(failure ->> 'model')`;

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
    /**
     * The provider that ran the operation or was tried last; null for other requests, and in rows of earlier
     * releases.
     */
    provider: text("provider"),
    /** The alias that the request named, if any. */
    alias: text("alias"),
    /** The caller's own notes about the request. */
    metadata: jsonb("metadata").$type<Metadata>(),
    keyId: text("key_id"),
    /**
     * The member who sent the request, also if their personal key was used. Null: a service key, or a row of
     * an earlier release.
     */
    userId: text("user_id"),
    durationMs: doublePrecision("duration_ms").notNull(),
    usageUnit: text("usage_unit"),
    usageQuantity: doublePrecision("usage_quantity"),
    /**
     * True if the request was sent with a session token, as the console does. Null in rows of earlier
     * releases.
     */
    fromSession: boolean("from_session"),
    /** The sync run, whose lines contain usage and cost, or the prediction that it created. */
    runId: text("run_id"),
    ...chargeColumns(),
    /** How many requests a row counts, if a limit rejected them. Null: one. */
    count: integer("count"),
    bytesIn: bigint("bytes_in", { mode: "number" }),
    bytesOut: bigint("bytes_out", { mode: "number" }),
    /** The output tokens in `usage_quantity`. */
    tokensOut: integer("tokens_out"),
    /**
     * When an upstream was first called, and when the answering one began and ended, in milliseconds since
     * the request arrived.
     */
    askedMs: real("asked_ms"),
    firstMs: real("first_ms"),
    answeredMs: real("answered_ms"),
    failedTries: jsonb("failed_tries").$type<FailedTry[]>(),
    guards: jsonb("guards").$type<AskedGuard[]>(),
    /** Null: its provider has one key, nothing was asked, or an earlier release wrote the row. */
    upstreamKey: jsonb("upstream_key").$type<UpstreamKey>(),
    /** The error that the caller got; null if there was none, and in rows of earlier releases. */
    failure: jsonb("failure").$type<LoggedFailure>(),
    /** Whether the contents are kept; null: the account keeps none. */
    contents: text("contents").$type<ContentsState>(),
    /** The caller's own id of the request. Several requests may have the same. */
    clientRequestId: text("client_request_id"),
    /** A hash that is equal for the requests of one conversation; null if nothing named one. */
    conversation: text("conversation"),
  },
  (table) => [
    // Each index adds cost to every request, so this one serves the list and all filters that have few
    // values.
    index("request_logs_kind").on(table.accountId, ...requestKind, table.id),
    index("request_logs_key").on(table.accountId, table.keyId, table.id).where(sql`key_id is not null`),
    index("request_logs_user").on(table.accountId, table.userId, table.id).where(sql`user_id is not null`),
    index("request_logs_metadata")
      .using("gin", sql`metadata jsonb_path_ops`)
      .where(sql`metadata is not null`),
    // For the search of values, which reads the newest.
    index("request_logs_with_metadata").on(table.accountId, table.id).where(sql`metadata is not null`),
    // Partial indexes: most requests have no error, and so cost nothing here.
    index("request_logs_code").on(table.accountId, table.code, table.id).where(sql`code is not null`),
    index("request_logs_failed").on(table.accountId, sql`(status / 100)`, table.id).where(sql`status >= 400`),
    index("request_logs_failed_model")
      .on(table.accountId, failedModel, table.id)
      .where(sql`${failedModel} is not null`),
    index("request_logs_contents").on(table.accountId, table.id).where(sql`contents = 'kept'`),
    index("request_logs_client_id")
      .on(table.accountId, table.clientRequestId, table.id)
      .where(sql`client_request_id is not null`),
    index("request_logs_conversation")
      .on(table.accountId, table.conversation, table.id)
      .where(sql`conversation is not null`),
  ],
);

/** One row per `Idempotency-Key`; `response_status` is null while the first request is running. */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    accountId: accountId(),
    route: text("route").notNull(),
    key: text("key").notNull(),
    fingerprint: text("fingerprint").notNull(),
    owner: text("owner").notNull(),
    responseStatus: integer("response_status"),
    responseHeaders: jsonb("response_headers").$type<Record<string, string>>(),
    responseBody: bytes("response_body"),
    createdAt: createdAt(),
    /** The process of an unfinished request renews it; null in rows of earlier releases. */
    claimedUntil: time("claimed_until"),
    expiresAt: time("expires_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.route, table.key] }),
    index("idempotency_keys_expiry").on(table.expiresAt),
  ],
);
