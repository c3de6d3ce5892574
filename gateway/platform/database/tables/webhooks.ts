import type {
  CallbackEvent,
  CallbackShape,
  ResendInclude,
  ResendStatus,
} from "#contract/webhook-constants.ts";
import {
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  sql,
  text,
  uniqueIndex,
} from "../drizzle.ts";
import { accountId } from "./accounts.ts";
import { createdAt, time, transaction } from "./columns.ts";

export interface SealedHeaders {
  names: string[];
  keyId: string;
  ciphertext: string;
}

/** A key pair of an endpoint; the private key is sealed. */
export interface SignatureKey {
  /** 32 bytes, in base64. */
  publicKey: string;
  keyId: string;
  ciphertext: string;
  /** Until when a replaced key pair still signs; null: the current key pair. */
  expiresAt: string | null;
}

export const webhookEndpoints = pgTable(
  "webhook_endpoints",
  {
    id: text("id").primaryKey(),
    accountId: accountId(),
    url: text("url").notNull(),
    description: text("description"),
    events: text("events").array().notNull(),
    status: text("status").notNull().default("enabled"),
    disabledReason: text("disabled_reason"),
    /** Custom headers: their names in plain text, and all of them sealed. */
    headers: jsonb("headers").$type<SealedHeaders>(),
    /** The key pairs that also sign its deliveries (`v1a`); null: none do. */
    signatureKeys: jsonb("signature_keys").$type<SignatureKey[]>(),
    ratePerSecond: integer("rate_per_second"),
    /** The models and keys whose events it receives; null: all. */
    models: text("models").array(),
    keyIds: text("key_ids").array(),
    consecutiveFailures: integer("consecutive_failures").notNull().default(0),
    /** When the current series of failures began. */
    failingSince: time("failing_since"),
    /**
     * When the account was notified that it fails or was disabled; null again once the account was notified
     * of its recovery.
     */
    failingToldAt: time("failing_told_at"),
    lastSuccessAt: time("last_success_at"),
    lastFailureAt: time("last_failure_at"),
    createdAt: createdAt(),
    deletedAt: time("deleted_at"),
    /**
     * Set for the hidden rows behind callbacks (`webhooks/callbacks.ts`): the origin that receives them, or `""` for the row
     * that holds the account's callback secret. Their status is `callback` and they count as deleted, so that no list shows
     * them, and a process of an earlier release neither claims nor disables them.
     */
    callbackHost: text("callback_host"),
    /**
     * For hidden rows: until when the sweep looks for deliveries that an earlier release canceled while they waited. Null:
     * it has not looked yet.
     */
    requeuedUntil: time("requeued_until"),
  },
  (table) => [
    index("webhook_endpoints_account").on(table.accountId, table.id),
    uniqueIndex("webhook_endpoints_callback")
      .on(table.accountId, table.callbackHost)
      .where(sql`callback_host is not null`),
  ],
);

/*
 * What a query asks of an endpoint, as SQL; `name` is the table's name in the query. No query reads `deleted_at` itself, because
 * the hidden rows behind callbacks always have it.
 */

/** Made by people, and not deleted. */
export function isListed(name = "webhook_endpoints") {
  return `${name}.deleted_at is null`;
}

/** Listed, or the hidden row of a callback: its deliveries are kept, and can be sent again. */
export function isThere(name = "webhook_endpoints") {
  return `(${isListed(name)} or ${name}.status = 'callback')`;
}

/** There, and neither paused nor disabled: its deliveries are sent now. */
export function isReceiving(name = "webhook_endpoints") {
  return `(${name}.status = 'enabled' and ${isListed(name)} or ${name}.status = 'callback')`;
}

/** Whether the account still allows the host of a hidden row. */
export function allowsHost(endpoint: string, account: string) {
  return `coalesce(substring(${endpoint}.callback_host from '://(\\[[^]]*\\]|[^:/]*)') = any (${account}.callback_hosts), true)`;
}

/** The callback of one run, response or batch, which gets its events besides the account's endpoints. */
export const callbacks = pgTable(
  "callbacks",
  {
    /** The prediction, response or batch. */
    subjectId: text("subject_id").primaryKey(),
    accountId: accountId(),
    /** The hidden endpoint of its host. */
    endpointId: text("endpoint_id").notNull(),
    url: text("url").notNull(),
    shape: text("shape").$type<CallbackShape>().notNull(),
    events: text("events").array().$type<CallbackEvent[]>().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index("callbacks_endpoint").on(table.endpointId),
    index("callbacks_created").on(table.createdAt),
  ],
);

/** A secret is shown once, in the answer that creates it; here it is sealed. */
export const webhookSecrets = pgTable(
  "webhook_secrets",
  {
    id: text("id").primaryKey(),
    endpointId: text("endpoint_id")
      .notNull()
      .references(() => webhookEndpoints.id, { onDelete: "cascade" }),
    keyId: text("key_id").notNull(),
    ciphertext: text("ciphertext").notNull(),
    hint: text("hint").notNull(),
    createdAt: createdAt(),
    /** Null for the current secret. */
    expiresAt: time("expires_at"),
  },
  (table) => [index("webhook_secrets_endpoint").on(table.endpointId)],
);

/** The body never changes: every attempt of every delivery sends the same bytes. */
export const webhookEvents = pgTable(
  "webhook_events",
  {
    id: text("id").primaryKey(),
    /** No foreign key: deleting an account would look it up in every row (`accounts/deletion`). */
    accountId: text("account_id").notNull(),
    type: text("type").notNull(),
    predictionId: text("prediction_id"),
    /** Set for an event that may happen only once. */
    onceKey: text("once_key"),
    /** Null once the payload was removed. */
    body: text("body"),
    createdAt: createdAt(),
    payloadExpiresAt: time("payload_expires_at").notNull(),
    /** The span under which the event's trace continues, as a W3C `traceparent`; null without one. */
    traceParent: text("trace_parent"),
    /**
     * The transaction that wrote this event. The feed sorts by it, and reads only events of transactions
     * older than every running one: no further event can appear among those.
     */
    tx: transaction("tx").notNull().default(sql`pg_current_xact_id()`),
    /**
     * The hidden endpoint that this event was made for; the event appears in no feed and at no other
     * endpoint. Null: an ordinary event of the account.
     */
    receiver: text("receiver"),
  },
  (table) => [
    uniqueIndex("webhook_events_once").on(table.onceKey).where(sql`once_key is not null`),
    /** The order of events in `GET /events`. */
    index("webhook_events_feed").on(table.accountId, table.tx, table.id),
    index("webhook_events_expiry").on(table.payloadExpiresAt).where(sql`body is not null`),
  ],
);

/** The row is its own job: a worker leases it while `next_attempt_at` is due. */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    id: text("id").primaryKey(),
    accountId: accountId(),
    /**
     * Deleted with its event in one statement (`webhooks/retention.ts`): a foreign key would look it up in
     * every row.
     */
    eventId: text("event_id").notNull(),
    /** No foreign key either: endpoints are deleted with their account, after its deliveries. */
    endpointId: text("endpoint_id").notNull(),
    eventType: text("event_type").notNull(),
    predictionId: text("prediction_id"),
    url: text("url").notNull(),
    status: text("status").notNull().default("pending"),
    trigger: text("trigger").notNull().default("automatic"),
    attempts: integer("attempts").notNull().default(0),
    interruptions: integer("interruptions").notNull().default(0),
    lastError: text("last_error"),
    lastStatusCode: integer("last_status_code"),
    nextAttemptAt: time("next_attempt_at"),
    /** When the last lease began; kept after the lease ends. */
    leasedAt: time("leased_at"),
    leaseOwner: text("lease_owner"),
    leaseExpiresAt: time("lease_expires_at"),
    retryOf: text("retry_of"),
    retriedAs: text("retried_as"),
    createdAt: createdAt(),
    deliveredAt: time("delivered_at"),
  },
  (table) => [
    check("webhook_deliveries_attempts", sql`${table.attempts} between 0 and 8`),
    index("webhook_deliveries_account_status").on(table.accountId, table.status, table.id),
    /** Excludes delivered rows, which are the most frequent: every index adds cost to each attempt. */
    index("webhook_deliveries_account_error")
      .on(table.accountId, table.lastError, table.id)
      .where(sql`last_error is not null`),
    index("webhook_deliveries_account_class")
      .on(table.accountId, sql`(${table.lastStatusCode} / 100)`, table.id)
      .where(sql`last_status_code >= 300`),
    /** Deliveries that need a manual retry, and deliveries that had one. */
    index("webhook_deliveries_account_unsent")
      .on(table.accountId, table.status, table.id)
      .where(sql`status in ('failed', 'dead-letter') and retried_as is null`),
    /** Predictions whose events have not arrived, with the worst state among their deliveries. */
    index("webhook_deliveries_undelivered")
      .on(table.accountId, table.predictionId, table.status)
      .where(
        sql`status in ('failed', 'dead-letter', 'waiting') and retried_as is null and prediction_id is not null`,
      ),
    index("webhook_deliveries_account_retried")
      .on(table.accountId, table.id)
      .where(sql`retried_as is not null`),
    /**
     * Endpoint first: a claim walks the endpoints with work, so that a backlog does not hide another
     * endpoint's.
     */
    index("webhook_deliveries_due")
      .on(table.endpointId, table.nextAttemptAt)
      .where(sql`status in ('pending', 'failed') and next_attempt_at is not null`),
    /** Small and rarely written: deliveries that wait for disabled endpoints, outside the queue. */
    index("webhook_deliveries_waiting").on(table.endpointId).where(sql`status = 'waiting'`),
    /** Only one manual retry of an event at an endpoint may be pending. */
    uniqueIndex("webhook_deliveries_active_retry")
      .on(table.eventId, table.endpointId)
      .where(sql`trigger in ('manual', 'bulk') and status in ('pending', 'failed') and retried_as is null`),
  ],
);

/**
 * The constant columns of a delivery, for searching the log. A status change writes every index of its table,
 * so these columns have their own; triggers of `webhook_deliveries` maintain it.
 */
export const webhookDeliveryKeys = pgTable(
  "webhook_delivery_keys",
  {
    id: text("id").notNull(),
    accountId: text("account_id").notNull(),
    eventId: text("event_id").notNull(),
    endpointId: text("endpoint_id").notNull(),
    eventType: text("event_type").notNull(),
    predictionId: text("prediction_id"),
    trigger: text("trigger").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    index("webhook_delivery_keys_endpoint").on(table.accountId, table.endpointId, table.id),
    index("webhook_delivery_keys_type").on(table.accountId, table.eventType, table.id),
    index("webhook_delivery_keys_prediction").on(table.predictionId).where(sql`prediction_id is not null`),
    /** Finds an event's deliveries, and allows one automatic delivery per endpoint. */
    uniqueIndex("webhook_delivery_keys_event").on(
      table.eventId,
      table.endpointId,
      sql`(case when ${table.trigger} = 'automatic' then '' else ${table.id} end)`,
    ),
  ],
);

export const webhookAttempts = pgTable(
  "webhook_attempts",
  {
    id: text("id").notNull(),
    /** No foreign key: it would look the delivery up again for every attempt. */
    deliveryId: text("delivery_id").notNull(),
    endpointId: text("endpoint_id").notNull(),
    number: integer("number").notNull(),
    succeeded: boolean("succeeded").notNull(),
    startedAt: time("started_at").notNull(),
    durationMs: doublePrecision("duration_ms"),
    url: text("url").notNull(),
    remoteIp: text("remote_ip"),
    requestHeaders: jsonb("request_headers").$type<Record<string, string>>().notNull(),
    responseStatus: integer("response_status"),
    responseHeaders: jsonb("response_headers").$type<Record<string, string>>(),
    responseBody: text("response_body"),
    responseBodyTruncated: boolean("response_body_truncated").notNull().default(false),
    errorCode: text("error_code"),
    errorDetail: text("error_detail"),
    timings: jsonb("timings").$type<Record<string, number | null>>().notNull().default({}),
  },
  (table) => [primaryKey({ columns: [table.deliveryId, table.id] })],
);

/** Attempts per endpoint and hour, so that showing its health costs the same at any volume. */
export const webhookEndpointHours = pgTable(
  "webhook_endpoint_hours",
  {
    endpointId: text("endpoint_id")
      .notNull()
      .references(() => webhookEndpoints.id, { onDelete: "cascade" }),
    hour: time("hour").notNull(),
    /** Deliveries whose first attempt was in this hour. */
    deliveries: integer("deliveries").notNull().default(0),
    delivered: integer("delivered").notNull().default(0),
    failed: integer("failed").notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.endpointId, table.hour] })],
);

/** A run that resends the events of a time range to one endpoint: `webhooks/resends`. */
export const webhookResends = pgTable(
  "webhook_resends",
  {
    id: text("id").primaryKey(),
    accountId: accountId(),
    endpointId: text("endpoint_id").notNull(),
    include: text("include").$type<ResendInclude>().notNull(),
    /** The types of events to resend; null: all types. */
    types: text("types").array(),
    since: time("since").notNull(),
    until: time("until").notNull(),
    ratePerSecond: integer("rate_per_second"),
    status: text("status").$type<ResendStatus>().notNull().default("running"),
    /** The number to send, counted when it began. */
    total: integer("total").notNull(),
    /** The results so far. */
    sent: integer("sent").notNull().default(0),
    gone: integer("gone").notNull().default(0),
    /** The last delivery of the time range that the run has handled. */
    afterId: text("after_id").notNull(),
    /** When the run last made progress, to limit its rate. */
    steppedAt: time("stepped_at").notNull().defaultNow(),
    createdAt: createdAt(),
    finishedAt: time("finished_at"),
  },
  (table) => [
    index("webhook_resends_account").on(table.accountId, table.endpointId, table.id),
    /** One running at a time per endpoint; also finds the runs to work on. */
    uniqueIndex("webhook_resends_running").on(table.endpointId).where(sql`status = 'running'`),
  ],
);
