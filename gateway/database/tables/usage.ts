import {
  customType,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
} from "drizzle-orm/pg-core";
import { accounts } from "./accounts.ts";
import { createdAt, time } from "./columns.ts";

const bytes = customType<{ data: Buffer }>({ dataType: () => "bytea" });

/** Metered quantities per UTC day; `key_id` is empty for a signed-in user. */
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
    quantity: doublePrecision("quantity").notNull().default(0),
    requests: integer("requests").notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.day, table.model, table.unit, table.keyId] }),
    // What a key used this month is read while it works; the primary key would lead through the whole account.
    index("usage_daily_key").on(table.keyId, table.day),
  ],
);

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
    keyId: text("key_id"),
    durationMs: doublePrecision("duration_ms").notNull(),
  },
  (table) => [
    index("request_logs_account").on(table.accountId, table.id),
    index("request_logs_at").on(table.at),
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
    expiresAt: time("expires_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.route, table.key] }),
    index("idempotency_keys_expiry").on(table.expiresAt),
  ],
);
