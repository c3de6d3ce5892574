import type { SignInRule } from "#contract/accounts/account.ts";
import type { AccountContents } from "#contract/accounts/account-deletion.ts";
import type { MonthlyBudget } from "#contract/accounts/keys.ts";
import type { SessionMethod } from "#contract/accounts/sessions.ts";
import type { Budgets } from "#contract/money/budgets.ts";
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  sql,
  text,
  uniqueIndex,
} from "../drizzle.ts";
import { createdAt, time } from "./columns.ts";

export const accounts = pgTable("accounts", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  /** From when its members need a second factor; null: they may have one. */
  secondFactorFrom: time("second_factor_from"),
  /** With which sessions its members may choose it. */
  signIn: text("sign_in").$type<SignInRule>().notNull().default("any"),
  /** The keys of metadata by whose values usage is summed. */
  usageKeys: text("usage_keys").array(),
  /** Whether members may share what gated models made, with signed-in people who pass the same gates. */
  shareGatedOutputs: boolean("share_gated_outputs").notNull().default(false),
  /** In money; null: none. */
  budgets: jsonb("budgets").$type<Budgets>(),
  /** All that it may spend in all, when it is prepaid; what it spent is its balance of `total`. Null: it is not prepaid. */
  credit: numeric("credit"),
  createdAt: createdAt(),
});

/**
 * Accounts whose deletion was ordered. The row outlives its account, as the record that it was deleted; it is removed when
 * the deletion is taken back.
 */
export const accountDeletions = pgTable("account_deletions", {
  accountId: text("account_id").primaryKey(),
  /** Null: the command line. */
  requestedBy: text("requested_by"),
  requestedAt: time("requested_at").notNull().defaultNow(),
  /** When it begins, and can no longer be taken back. */
  dueAt: time("due_at").notNull(),
  startedAt: time("started_at"),
  /** What there was when it began. */
  contents: jsonb("contents").$type<AccountContents>(),
  /** How many of these rows are gone. */
  erasedRows: bigint("erased_rows", { mode: "number" }).notNull().default(0),
  /** What is being removed, and how far a table was searched that is not sorted by account. */
  step: integer("step").notNull().default(0),
  cursor: text("cursor"),
  finishedAt: time("finished_at"),
});

export const users = pgTable(
  "users",
  {
    id: text("id").primaryKey(),
    /**
     * An account that the user owns. Read by the previous release only, which knows no other members: so it is null where
     * the user is anything less. Their accounts are in `members`.
     */
    accountId: text("account_id").references(() => accounts.id, { onDelete: "set null" }),
    email: text("email").notNull(),
    /** When an identity provider, or a link that was sent there, proved that the address is theirs. Null: somebody typed it. */
    emailVerifiedAt: time("email_verified_at"),
    name: text("name").notNull(),
    /** Null: the user signs in by other means. */
    passwordHash: text("password_hash"),
    /** Whether the user runs this installation. It gives no access to accounts. */
    isOperator: boolean("is_operator").notNull().default(false),
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
    /** How it was opened; null in rows of earlier releases. */
    method: text("method").$type<SessionMethod>(),
    ip: text("ip"),
    userAgent: text("user_agent"),
    createdAt: createdAt(),
    lastSeenAt: time("last_seen_at"),
    lastSeenIp: text("last_seen_ip"),
    expiresAt: time("expires_at").notNull(),
    revokedAt: time("revoked_at"),
  },
  (table) => [
    uniqueIndex("sessions_token_hash").on(table.tokenHash),
    index("sessions_user").on(table.userId).where(sql`user_id is not null`),
  ],
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
    /** When the secret ends though the key goes on, as the access token of a connection does. Null: with the key. */
    secretExpiresAt: time("secret_expires_at"),
    /** Where alone its secret is taken: `mcp` for the key of a connection. Null: everywhere. */
    boundTo: text("bound_to").$type<"mcp">(),
    scopes: text("scopes").array().notNull(),
    models: text("models").array(),
    regions: text("regions").array(),
    /** Of pages that may use it from a browser; null: none, and no origin is refused. */
    allowedOrigins: text("allowed_origins").array(),
    requestsPerMinute: integer("requests_per_minute"),
    maxConcurrency: integer("max_concurrency"),
    monthlyBudget: jsonb("monthly_budget").$type<MonthlyBudget>(),
    /** In money; null: none. */
    budgets: jsonb("budgets").$type<Budgets>(),
    /** The member whose personal key it is, which never does more than they may. Null: a service key. */
    userId: text("user_id"),
    /** Whose attestations let a service key run gated operations. */
    answeredBy: text("answered_by"),
    /** The key that made this one; null for a user or the command line. */
    madeBy: text("made_by"),
    /** The user who made it; null for a key or the command line. */
    createdBy: text("created_by"),
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
    index("api_keys_user").on(table.accountId, table.userId, table.id).where(sql`user_id is not null`),
    index("api_keys_origins").on(table.id).where(sql`allowed_origins is not null`),
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
    /** The member who acted, also with a personal key. */
    userId: text("user_id"),
    targetId: text("target_id"),
    detail: jsonb("detail").$type<Record<string, unknown>>(),
    ip: text("ip"),
    requestId: text("request_id"),
  },
  (table) => [
    index("audit_logs_account").on(table.accountId, table.id),
    index("audit_logs_action").on(table.accountId, table.action, table.id),
    /** The member who acted; rows of earlier releases name them as the actor only. */
    index("audit_logs_user").on(table.accountId, sql`coalesce(user_id, actor_id)`, table.id),
    index("audit_logs_actor").on(table.accountId, table.actorId, table.id),
  ],
);
