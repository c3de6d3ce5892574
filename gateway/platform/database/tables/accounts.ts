import type { SignInRule } from "#contract/accounts/account.ts";
import type { AccountContents } from "#contract/accounts/account-deletion.ts";
import type { MonthlyBudget } from "#contract/accounts/keys.ts";
import type { ClaimsReport, ProviderPurpose } from "#contract/accounts/oidc.ts";
import type { Role } from "#contract/accounts/roles.ts";
import type { SessionMethod } from "#contract/accounts/sessions.ts";
import type { ConnectionEnd } from "#contract/connection-constants.ts";
import type { Budgets } from "#contract/money/budgets.ts";
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  sql,
  text,
  uniqueIndex,
} from "../drizzle.ts";
import { createdAt, time } from "./columns.ts";

const userId = () =>
  text("user_id")
    .notNull()
    .references(() => users.id, { onDelete: "cascade" });

export const passkeys = pgTable(
  "passkeys",
  {
    id: text("id").primaryKey(),
    userId: userId(),
    name: text("name").notNull(),
    /** base64url, as the browser names it. */
    credentialId: text("credential_id").notNull(),
    /** COSE, base64url. */
    publicKey: text("public_key").notNull(),
    /** Never decreases; 0 where the authenticator does not count. */
    uses: bigint("uses", { mode: "number" }).notNull(),
    transports: text("transports").array().notNull(),
    isSynced: boolean("is_synced").notNull(),
    createdAt: createdAt(),
    lastUsedAt: time("last_used_at"),
  },
  (table) => [
    uniqueIndex("passkeys_credential").on(table.credentialId),
    index("passkeys_user").on(table.userId),
  ],
);

/** The secret of a person's authenticator app: the one in use, and one that is being set up. */
export const totpSecrets = pgTable(
  "totp_secrets",
  {
    userId: userId(),
    isConfirmed: boolean("is_confirmed").notNull(),
    keyId: text("key_id").notNull(),
    ciphertext: text("ciphertext").notNull(),
    /** The half minute of the last code that was accepted: it and earlier ones are not accepted again. */
    lastStep: bigint("last_step", { mode: "number" }).notNull().default(0),
    createdAt: createdAt(),
    lastUsedAt: time("last_used_at"),
  },
  (table) => [primaryKey({ columns: [table.userId, table.isConfirmed] })],
);

export const recoveryCodes = pgTable(
  "recovery_codes",
  {
    userId: userId(),
    /** sha256 (hex). */
    codeHash: text("code_hash").notNull(),
    usedAt: time("used_at"),
  },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
);

/** A sign-in, or a passkey's registration, that has begun. */
export const tickets = pgTable(
  "tickets",
  {
    /** sha256 (hex). */
    tokenHash: text("token_hash").primaryKey(),
    purpose: text("purpose").$type<"second_factor" | "passkey" | "passkey_setup">().notNull(),
    /** Null: the passkey will say who it is. */
    userId: text("user_id").references(() => users.id, { onDelete: "cascade" }),
    /** What the passkey must sign. */
    challenge: text("challenge"),
    expiresAt: time("expires_at").notNull(),
  },
  (table) => [index("tickets_expiry").on(table.expiresAt)],
);

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
  /** The hosts that requests may name as their receiver; null: any, empty: callbacks are switched off. */
  callbackHosts: text("callback_hosts").array(),
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

/** Who belongs to which account, and as what. */
export const members = pgTable(
  "members",
  {
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    role: text("role").$type<Role>().notNull(),
    /** What the member's sessions and personal keys may use together in a month. */
    monthlyBudget: jsonb("monthly_budget").$type<MonthlyBudget>(),
    /** The same in money; null: none. */
    budgets: jsonb("budgets").$type<Budgets>(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.userId] }),
    index("members_user").on(table.userId),
  ],
);

/** A link that makes somebody a member. Its token is shown once. */
export const invitations = pgTable(
  "invitations",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    email: text("email").notNull(),
    role: text("role").$type<Role>().notNull(),
    /** sha256 (hex); a renewed invitation has another one. */
    tokenHash: text("token_hash").notNull(),
    invitedBy: text("invited_by").references(() => users.id, { onDelete: "set null" }),
    createdAt: createdAt(),
    expiresAt: time("expires_at").notNull(),
    acceptedAt: time("accepted_at"),
    revokedAt: time("revoked_at"),
    /** The invitation of the same address that ended this one. */
    replacedBy: text("replaced_by"),
  },
  (table) => [
    index("invitations_account").on(table.accountId, table.id),
    index("invitations_expiry").on(table.expiresAt),
  ],
);

/** A link with which a user sets a new password, once. */
export const passwordResets = pgTable(
  "password_resets",
  {
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    tokenHash: text("token_hash").notNull(),
    /** Null: the command line. */
    madeBy: text("made_by"),
    createdAt: createdAt(),
    expiresAt: time("expires_at").notNull(),
    usedAt: time("used_at"),
  },
  (table) => [
    index("password_resets_user").on(table.userId),
    index("password_resets_expiry").on(table.expiresAt),
  ],
);

/** Who a user is at an identity provider: never found by an e-mail address. */
export const identities = pgTable(
  "identities",
  {
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    issuer: text("issuer").notNull(),
    subject: text("subject").notNull(),
    /** As the provider last sent it. */
    email: text("email"),
    createdAt: createdAt(),
    lastSignedInAt: time("last_signed_in_at"),
  },
  (table) => [
    uniqueIndex("identities_subject").on(table.issuer, table.subject),
    index("identities_user").on(table.userId),
  ],
);

/** Browsers that are at the identity provider. Each may come back once. */
export const providerSignIns = pgTable(
  "provider_sign_ins",
  {
    /** sha256 (hex) of the state in the address. */
    stateHash: text("state_hash").primaryKey(),
    purpose: text("purpose").$type<ProviderPurpose>().notNull(),
    nonce: text("nonce").notNull(),
    codeVerifier: text("code_verifier").notNull(),
    /** Who links or checks. */
    userId: text("user_id").references(() => users.id, { onDelete: "cascade" }),
    invitationId: text("invitation_id"),
    /** Of the invitation's token: a replaced link is void. */
    invitationHash: text("invitation_hash"),
    expiresAt: time("expires_at").notNull(),
    usedAt: time("used_at"),
    report: jsonb("report").$type<ClaimsReport>(),
  },
  (table) => [
    index("provider_sign_ins_expiry").on(table.expiresAt),
    index("provider_sign_ins_user").on(table.userId),
  ],
);

/** Sessions that were opened with an identity provider, so that its logout ends them. */
export const providerSessions = pgTable(
  "provider_sessions",
  {
    sessionId: text("session_id")
      .primaryKey()
      .references(() => sessions.id, { onDelete: "cascade" }),
    identityId: text("identity_id")
      .notNull()
      .references(() => identities.id, { onDelete: "cascade" }),
    /** The session at the provider, if it named one. */
    providerSession: text("provider_session"),
  },
  (table) => [
    index("provider_sessions_identity").on(table.identityId),
    index("provider_sessions_session").on(table.providerSession),
  ],
);

/** Logout tokens that were used, until they expire. */
export const usedLogoutTokens = pgTable(
  "used_logout_tokens",
  {
    issuer: text("issuer").notNull(),
    tokenId: text("token_id").notNull(),
    expiresAt: time("expires_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.issuer, table.tokenId] }),
    index("used_logout_tokens_expiry").on(table.expiresAt),
  ],
);

/** Clients that registered themselves. Those that nobody connected go after a day. */
export const authorizationClients = pgTable(
  "authorization_clients",
  {
    id: text("id").primaryKey(),
    name: text("name").notNull(),
    redirectUris: text("redirect_uris").array().notNull(),
    /** When somebody first connected it; null: nobody has. */
    connectedAt: time("connected_at"),
    expiresAt: time("expires_at").notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index("authorization_clients_expiry").on(table.expiresAt),
    index("authorization_clients_unused").on(table.createdAt).where(sql`connected_at is null`),
  ],
);

/**
 * What a person's consent adds to the personal key that it made: which client has it, its code and its refresh token. The access
 * token is the secret of the key.
 */
export const connections = pgTable(
  "connections",
  {
    keyId: text("key_id")
      .primaryKey()
      .references(() => apiKeys.id, { onDelete: "cascade" }),
    clientId: text("client_id").notNull(),
    clientName: text("client_name").notNull(),
    /** Whether the client's own address says who it is; else it registered itself under any name. */
    clientVerified: boolean("client_verified").notNull(),
    redirectUri: text("redirect_uri").notNull(),
    codeHash: text("code_hash").notNull(),
    codeChallenge: text("code_challenge").notNull(),
    codeExpiresAt: time("code_expires_at").notNull(),
    codeUsedAt: time("code_used_at"),
    /** sha256 (hex) of what all refresh tokens of this connection have in common: one of them that is not the last was used. */
    refreshFamilyHash: text("refresh_family_hash"),
    refreshHash: text("refresh_hash"),
    refreshExpiresAt: time("refresh_expires_at"),
    /** Why it ended, where not by somebody in the console. */
    endedBecause: text("ended_because").$type<ConnectionEnd>(),
  },
  (table) => [
    uniqueIndex("connections_code").on(table.codeHash),
    uniqueIndex("connections_refresh_family").on(table.refreshFamilyHash),
    index("connections_unused").on(table.codeExpiresAt).where(sql`code_used_at is null`),
  ],
);

/** What is decided when an installation begins, in one row. */
export const installation = pgTable("installation", {
  id: text("id").primaryKey(),
  /** How many days history is kept where the settings do not say; null for ever, as in releases that kept everything. */
  historyDays: integer("history_days"),
  auditDays: integer("audit_days"),
});
