import { sql } from "drizzle-orm";
import { index, integer, jsonb, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { MonthlyBudget } from "#contract/account.ts";
import { createdAt, time } from "./columns.ts";

export const accounts = pgTable("accounts", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  createdAt: createdAt(),
});

export const users = pgTable(
  "users",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    email: text("email").notNull(),
    name: text("name").notNull(),
    passwordHash: text("password_hash").notNull(),
    createdAt: createdAt(),
  },
  (table) => [uniqueIndex("users_email").on(table.email)],
);

export const sessions = pgTable(
  "sessions",
  {
    id: text("id").primaryKey(),
    /** Null when an account key opened it. */
    userId: text("user_id").references(() => users.id, { onDelete: "cascade" }),
    tokenHash: text("token_hash").notNull(),
    /** sha256 (hex) of the account key that opened it; the session may what that key may, and ends with it. */
    keyHash: text("key_hash"),
    ip: text("ip"),
    createdAt: createdAt(),
    expiresAt: time("expires_at").notNull(),
    revokedAt: time("revoked_at"),
  },
  (table) => [uniqueIndex("sessions_token_hash").on(table.tokenHash)],
);

export const apiKeys = pgTable(
  "api_keys",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    hint: text("hint").notNull(),
    /** sha256 (hex) of the whole key. */
    secretHash: text("secret_hash").notNull(),
    previousSecretHash: text("previous_secret_hash"),
    previousExpiresAt: time("previous_expires_at"),
    scopes: text("scopes").array().notNull(),
    models: text("models").array(),
    regions: text("regions").array(),
    requestsPerMinute: integer("requests_per_minute"),
    maxConcurrency: integer("max_concurrency"),
    monthlyBudget: jsonb("monthly_budget").$type<MonthlyBudget>(),
    /** The key that made this one; null for a user or the command line. */
    madeBy: text("made_by"),
    expiresAt: time("expires_at"),
    revokedAt: time("revoked_at"),
    lastUsedAt: time("last_used_at"),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex("api_keys_secret_hash").on(table.secretHash),
    index("api_keys_previous_hash").on(table.previousSecretHash),
    index("api_keys_account").on(table.accountId, table.id),
    index("api_keys_made_by").on(table.madeBy).where(sql`made_by is not null`),
  ],
);

export const attestations = pgTable(
  "attestations",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    userId: text("user_id")
      .notNull()
      .references(() => users.id),
    kind: text("kind").notNull(),
    statementVersion: text("statement_version").notNull(),
    ip: text("ip"),
    createdAt: createdAt(),
    revokedAt: time("revoked_at"),
  },
  (table) => [index("attestations_account").on(table.accountId, table.id)],
);

export const auditLogs = pgTable(
  "audit_logs",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    at: time("at").notNull().defaultNow(),
    action: text("action").notNull(),
    actorType: text("actor_type").notNull(),
    actorId: text("actor_id"),
    actorName: text("actor_name").notNull(),
    targetId: text("target_id"),
    detail: jsonb("detail").$type<Record<string, unknown>>(),
    ip: text("ip"),
    requestId: text("request_id"),
  },
  (table) => [
    index("audit_logs_account").on(table.accountId, table.id),
    index("audit_logs_action").on(table.accountId, table.action, table.id),
  ],
);
