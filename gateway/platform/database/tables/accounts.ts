import type { ContentsSwitch, SessionMethod, SignInRule } from "#contract/accounts/account.ts";
import type { AccountContents } from "#contract/accounts/account-deletion.ts";
import type { KeyContents, Role } from "#contract/accounts/constants.ts";
import type { MonthlyBudget, OperatorKeyLimits } from "#contract/accounts/keys.ts";
import type { AccountLimits } from "#contract/accounts/limits.ts";
import type { AccountNetworks } from "#contract/accounts/networks.ts";
import type { ClaimsReport, ProviderPurpose } from "#contract/accounts/oidc.ts";
import type { ConnectionEnd } from "#contract/connection-constants.ts";
import type { Budgets, TaskBudget } from "#contract/money/budgets.ts";
import type { Language } from "#messages/languages.ts";
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

/** The owner of a row that is deleted with its account. */
export const accountId = () =>
  text("account_id")
    .notNull()
    .references(() => accounts.id, { onDelete: "cascade" });

/** The person of a row that is deleted with them. */
export const userId = () =>
  text("user_id")
    .notNull()
    .references(() => users.id, { onDelete: "cascade" });

export const passkeys = pgTable(
  "passkeys",
  {
    id: text("id").primaryKey(),
    userId: userId(),
    name: text("name").notNull(),
    /** The browser's id of the credential, in base64url. */
    credentialId: text("credential_id").notNull(),
    /** COSE, base64url. */
    publicKey: text("public_key").notNull(),
    /** Never decreases; 0 if the authenticator does not count. */
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

/** The secrets of a person's authenticator app: the one in use, and one being set up. */
export const totpSecrets = pgTable(
  "totp_secrets",
  {
    userId: userId(),
    isConfirmed: boolean("is_confirmed").notNull(),
    keyId: text("key_id").notNull(),
    ciphertext: text("ciphertext").notNull(),
    /** The half-minute step of the last accepted code. Codes of this and earlier steps are refused. */
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
    /** sha256 (hex) of the code. */
    codeHash: text("code_hash").notNull(),
    usedAt: time("used_at"),
  },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
);

/** A sign-in, or a passkey's registration, in progress. */
export const tickets = pgTable(
  "tickets",
  {
    /** sha256 (hex) of the token. */
    tokenHash: text("token_hash").primaryKey(),
    purpose: text("purpose").$type<"second_factor" | "passkey" | "passkey_setup">().notNull(),
    /** Null: the user is not known yet, and the passkey will identify them. */
    userId: text("user_id").references(() => users.id, { onDelete: "cascade" }),
    /** The challenge that the passkey must sign. */
    challenge: text("challenge"),
    expiresAt: time("expires_at").notNull(),
  },
  (table) => [index("tickets_expiry").on(table.expiresAt)],
);

/** What an account keeps of the contents of its calls. */
export type ContentsRule = Omit<ContentsSwitch, "keep"> & { keep: Exclude<ContentsSwitch["keep"], "off"> };

/** Tokens of text per minute: with all models together, and by model; null: no limit. */
const tokenRates = {
  tokensPerMinute: integer("tokens_per_minute"),
  modelTokensPerMinute: jsonb("model_tokens_per_minute").$type<Record<string, number>>(),
};

/** Why an operator suspended an account; callers and members read the reason. */
export interface Suspension {
  reason: string;
  /** ISO 8601. */
  since: string;
  /** The operator, or their key; null: the command line. */
  by: { id: string; name: string } | null;
}

/** The networks of people and of keys; null: any. */
export type NetworkLists = Pick<AccountNetworks, "sign_in" | "keys">;

/** Limits under a name, which operators give to accounts. */
export const limitPlans = pgTable(
  "limit_plans",
  {
    id: text("id").primaryKey(),
    name: text("name").notNull(),
    limits: jsonb("limits").$type<Partial<AccountLimits>>().notNull(),
    createdAt: createdAt(),
  },
  (table) => [uniqueIndex("limit_plans_name").on(sql`lower(${table.name})`)],
);

export const accounts = pgTable("accounts", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  /** From when on the account's members need a second factor; null: it is optional. */
  secondFactorFrom: time("second_factor_from"),
  /** Which ways to sign in let members select this account. */
  signIn: text("sign_in").$type<SignInRule>().notNull().default("any"),
  /** The metadata keys whose values usage is also summed by. */
  usageKeys: text("usage_keys").array(),
  /** Whether members may share output of gated models, with signed-in people who pass the same gates. */
  shareGatedOutputs: boolean("share_gated_outputs").notNull().default(false),
  /** The hosts that requests may name in a callback URL. Null: any host; empty: callbacks are off. */
  callbackHosts: text("callback_hosts").array(),
  /** The account's budgets in money; null: no budget. */
  budgets: jsonb("budgets").$type<Budgets>(),
  /** The account's cap per task; null: no cap. */
  taskBudget: jsonb("task_budget").$type<TaskBudget>(),
  /** What the account keeps of the contents of its calls; null: nothing. */
  contents: jsonb("contents").$type<ContentsRule>(),
  /**
   * The total that a prepaid account may ever spend; its spending is its balance of period `total`. Null: not
   * prepaid.
   */
  credit: numeric("credit"),
  /** How long inputs and outputs are kept, as its owner chose; null: as the installation says. */
  retentionSeconds: integer("retention_seconds"),
  /** When it was chosen; null: it was applied to everything that was stored before. */
  retentionChangedAt: time("retention_changed_at"),
  /** Null: not suspended. */
  suspension: jsonb("suspension").$type<Suspension>(),
  ...tokenRates,
  /** What operators set for this account. Limits that are missing are those of its plan, or else of the installation. */
  limits: jsonb("limits").$type<Partial<AccountLimits>>(),
  /** From which networks the account may be used; null: any. */
  networks: jsonb("networks").$type<NetworkLists>(),
  planId: text("plan_id").references(() => limitPlans.id),
  createdAt: createdAt(),
});

/** A contiguous piece of a list of an export; its ids are below `after`, down to `until`. Null: no bound. */
export interface ExportRange {
  section: string;
  after: string | null;
  until: string | null;
}

export interface ExportPart {
  rows: number;
  fileBytes: number;
  ranges: ExportRange[];
}

/** The last export of an account, which its owner downloads in parts, and the consent to an operator's. */
export const accountExports = pgTable("account_exports", {
  accountId: accountId().primaryKey(),
  begunBy: text("begun_by"),
  /** The time as of which it lists rows. */
  begunAt: time("begun_at"),
  parts: jsonb("parts").$type<ExportPart[]>(),
  /** When each part was last sent completely, by its number. */
  sent: jsonb("sent").$type<Record<string, string>>().notNull().default({}),
  /** Until when an operator may export the account with its contents. */
  operatorUntil: time("operator_until"),
});

/**
 * Accounts to be deleted. The row outlives the account as a record of the deletion; undoing the deletion
 * removes it.
 */
export const accountDeletions = pgTable("account_deletions", {
  accountId: text("account_id").primaryKey(),
  /** Null: requested on the command line. */
  requestedBy: text("requested_by"),
  /** Why an operator deletes the account at once; null if its owner deletes it. */
  reason: text("reason"),
  requestedAt: time("requested_at").notNull().defaultNow(),
  /** When the deletion begins, and can no longer be undone. */
  dueAt: time("due_at").notNull(),
  startedAt: time("started_at"),
  /** The account's contents when its deletion began. */
  contents: jsonb("contents").$type<AccountContents>(),
  /** Rows deleted so far. */
  erasedRows: bigint("erased_rows", { mode: "number" }).notNull().default(0),
  /** The current step, and the progress in a table that is not sorted by account. */
  step: integer("step").notNull().default(0),
  cursor: text("cursor"),
  /** How many rows of each table were deleted so far. */
  removed: jsonb("removed").$type<Record<string, number>>(),
  finishedAt: time("finished_at"),
  /** The hash of the certificate, made when the deletion finished. */
  sha256: text("sha256"),
});

export const users = pgTable(
  "users",
  {
    id: text("id").primaryKey(),
    /**
     * An account that the user owns; null for a user who owns none. Only the previous release reads this
     * column, and treats the user as that account's owner. All accounts of a user are in `members`.
     */
    accountId: text("account_id").references(() => accounts.id, { onDelete: "set null" }),
    email: text("email").notNull(),
    /**
     * When an identity provider, or a link sent to it, proved that the address is theirs. Null: somebody only
     * typed it.
     */
    emailVerifiedAt: time("email_verified_at"),
    name: text("name").notNull(),
    /** Null: the user has no password and signs in by other means. */
    passwordHash: text("password_hash"),
    /** Whether the user operates this installation. This gives no access to accounts. */
    isOperator: boolean("is_operator").notNull().default(false),
    /** The language of their console and e-mails. Null: the one that their browser asks for; e-mails are in English. */
    language: text("language").$type<Language>(),
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
    /**
     * sha256 (hex) of the account key that opened it; the session has that key's rights, and ends with it.
     */
    keyHash: text("key_hash"),
    /** How the session was opened; null in rows of earlier releases. */
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
    accountId: accountId(),
    name: text("name").notNull(),
    hint: text("hint").notNull(),
    /** sha256 (hex) of the whole key. */
    secretHash: text("secret_hash").notNull(),
    previousSecretHash: text("previous_secret_hash"),
    previousExpiresAt: time("previous_expires_at"),
    /**
     * When the secret expires, if earlier than the key, like a connection's access token. Null: with the key.
     */
    secretExpiresAt: time("secret_expires_at"),
    /**
     * The only interface that accepts the key's secret: `mcp` for the key of a connection. Null: every
     * interface accepts it. `exchange`: none does; it is the key of a rule, and the secrets are in `short_keys`.
     */
    boundTo: text("bound_to").$type<"mcp" | "exchange">(),
    scopes: text("scopes").array().notNull(),
    models: text("models").array(),
    regions: text("regions").array(),
    /**
     * Origins of pages that are allowed to use the key from a browser; null: the key is not for browsers, and
     * the `Origin` header is not checked.
     */
    allowedOrigins: text("allowed_origins").array(),
    /** The networks from which the key may be used, besides those of its account; null: any. */
    networks: text("networks").array(),
    requestsPerMinute: integer("requests_per_minute"),
    ...tokenRates,
    maxConcurrency: integer("max_concurrency"),
    /** Set by an operator, besides the key's own limits; null: nothing. */
    operatorLimits: jsonb("operator_limits").$type<OperatorKeyLimits>(),
    monthlyBudget: jsonb("monthly_budget").$type<MonthlyBudget>(),
    /** The key's budgets in money; null: no budget. */
    budgets: jsonb("budgets").$type<Budgets>(),
    /** The key's cap per task; null: no cap. */
    taskBudget: jsonb("task_budget").$type<TaskBudget>(),
    /** Null: as the account says. */
    contents: text("contents").$type<KeyContents>(),
    /** The member whose personal key it is; it never has more rights than they have. Null: a service key. */
    userId: text("user_id"),
    /** The user whose attestations let a service key run gated operations. */
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
    accountId: accountId(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id),
    kind: text("kind").notNull(),
    statementVersion: text("statement_version").notNull(),
    /** The language in which the statement was read and confirmed. Null: English. */
    language: text("language").$type<Language>(),
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
    accountId: accountId(),
    at: time("at").notNull().defaultNow(),
    action: text("action").notNull(),
    actorType: text("actor_type").notNull(),
    actorId: text("actor_id"),
    actorName: text("actor_name").notNull(),
    /** The acting member, also if the member's personal key was used. */
    userId: text("user_id"),
    targetId: text("target_id"),
    detail: jsonb("detail").$type<Record<string, unknown>>(),
    ip: text("ip"),
    requestId: text("request_id"),
  },
  (table) => [
    index("audit_logs_account").on(table.accountId, table.id),
    index("audit_logs_action").on(table.accountId, table.action, table.id),
    /** The acting member; rows of earlier releases have them only as the actor. */
    index("audit_logs_user").on(table.accountId, sql`coalesce(user_id, actor_id)`, table.id),
    index("audit_logs_actor").on(table.accountId, table.actorId, table.id),
  ],
);

/** The members of each account, with their roles. */
export const members = pgTable(
  "members",
  {
    accountId: accountId(),
    userId: userId(),
    role: text("role").$type<Role>().notNull(),
    /** A member's monthly budget, for their sessions and personal keys together. */
    monthlyBudget: jsonb("monthly_budget").$type<MonthlyBudget>(),
    /** The member's budgets in money, for the same runs; null: no budget. */
    budgets: jsonb("budgets").$type<Budgets>(),
    ...tokenRates,
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.userId] }),
    index("members_user").on(table.userId),
  ],
);

/** A link that makes the invited person a member. Its token is shown once. */
export const invitations = pgTable(
  "invitations",
  {
    id: text("id").primaryKey(),
    accountId: accountId(),
    email: text("email").notNull(),
    role: text("role").$type<Role>().notNull(),
    /** sha256 (hex); a renewed invitation has another one. */
    tokenHash: text("token_hash").notNull(),
    invitedBy: text("invited_by").references(() => users.id, { onDelete: "set null" }),
    /** The language of its e-mails. Null: that of the inviter. */
    language: text("language").$type<Language>(),
    createdAt: createdAt(),
    expiresAt: time("expires_at").notNull(),
    acceptedAt: time("accepted_at"),
    revokedAt: time("revoked_at"),
    /** The newer invitation to the same address that replaced this one. */
    replacedBy: text("replaced_by"),
  },
  (table) => [
    index("invitations_account").on(table.accountId, table.id),
    index("invitations_expiry").on(table.expiresAt),
  ],
);

/** A link with which a user can set a new password once. */
export const passwordResets = pgTable(
  "password_resets",
  {
    id: text("id").primaryKey(),
    userId: userId(),
    tokenHash: text("token_hash").notNull(),
    /** Null: made on the command line. */
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

/** A user's identity at an identity provider; never matched by e-mail address. */
export const identities = pgTable(
  "identities",
  {
    id: text("id").primaryKey(),
    userId: userId(),
    issuer: text("issuer").notNull(),
    subject: text("subject").notNull(),
    /** The address as the provider last sent it. */
    email: text("email"),
    createdAt: createdAt(),
    lastSignedInAt: time("last_signed_in_at"),
  },
  (table) => [
    uniqueIndex("identities_subject").on(table.issuer, table.subject),
    index("identities_user").on(table.userId),
  ],
);

/** Sign-ins in progress at the identity provider. Each browser may return once. */
export const providerSignIns = pgTable(
  "provider_sign_ins",
  {
    /** sha256 (hex) of the state parameter in the URL. */
    stateHash: text("state_hash").primaryKey(),
    purpose: text("purpose").$type<ProviderPurpose>().notNull(),
    nonce: text("nonce").notNull(),
    codeVerifier: text("code_verifier").notNull(),
    /** The signed-in user who links an identity or tests the provider; null for an ordinary sign-in. */
    userId: text("user_id").references(() => users.id, { onDelete: "cascade" }),
    invitationId: text("invitation_id"),
    /** The hash of the invitation's token, so that a link that was replaced meanwhile is refused. */
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

/** Sessions opened through an identity provider, so that its logout can end them. */
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

/** Used logout tokens, until they expire. */
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

/** Self-registered clients. Those that were never connected are removed after a day. */
export const authorizationClients = pgTable(
  "authorization_clients",
  {
    id: text("id").primaryKey(),
    name: text("name").notNull(),
    redirectUris: text("redirect_uris").array().notNull(),
    /** When the client was first connected; null: never. */
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
 * Data of a connection, besides the personal key that the person's consent created: the client, its code and
 * its refresh token. The access token is the secret of the key.
 */
export const connections = pgTable(
  "connections",
  {
    keyId: text("key_id")
      .primaryKey()
      .references(() => apiKeys.id, { onDelete: "cascade" }),
    clientId: text("client_id").notNull(),
    clientName: text("client_name").notNull(),
    /** Whether the client's own URL proves its identity; otherwise it registered itself under any name. */
    clientVerified: boolean("client_verified").notNull(),
    redirectUri: text("redirect_uri").notNull(),
    codeHash: text("code_hash").notNull(),
    codeChallenge: text("code_challenge").notNull(),
    codeExpiresAt: time("code_expires_at").notNull(),
    codeUsedAt: time("code_used_at"),
    /**
     * sha256 (hex) of the part that all refresh tokens of this connection share, to notice the use of an old
     * one.
     */
    refreshFamilyHash: text("refresh_family_hash"),
    refreshHash: text("refresh_hash"),
    refreshExpiresAt: time("refresh_expires_at"),
    /** Why the connection ended; null if somebody ended it in the console. */
    endedBecause: text("ended_because").$type<ConnectionEnd>(),
  },
  (table) => [
    uniqueIndex("connections_code").on(table.codeHash),
    uniqueIndex("connections_refresh_family").on(table.refreshFamilyHash),
    index("connections_unused").on(table.codeExpiresAt).where(sql`code_used_at is null`),
  ],
);

/**
 * Data of a rule for short keys, besides the key with its name and limits, which all short keys of the rule share. If
 * the rule acts as a service key, that key is the one that made the rule's key (`made_by`).
 */
export const keyRules = pgTable("key_rules", {
  keyId: text("key_id")
    .primaryKey()
    .references(() => apiKeys.id, { onDelete: "cascade" }),
  issuer: text("issuer").notNull(),
  /** Null: the address that only this account has. */
  audience: text("audience"),
  claims: jsonb("claims").$type<Record<string, string>>().notNull(),
  singleUse: boolean("single_use").notNull(),
  lifetimeSeconds: integer("lifetime_seconds").notNull(),
});

/** The keys that workloads got for their tokens. A token itself is never stored. */
export const shortKeys = pgTable(
  "short_keys",
  {
    id: text("id").primaryKey(),
    accountId: accountId(),
    /** The key of the rule. */
    keyId: text("key_id")
      .notNull()
      .references(() => apiKeys.id, { onDelete: "cascade" }),
    /** sha256 (hex) of the whole key. */
    secretHash: text("secret_hash").notNull(),
    subject: text("subject").notNull(),
    scopes: text("scopes").array().notNull(),
    /** sha256 (hex) of the token's `jti`, if the rule takes each token once; null: it does not. */
    tokenHash: text("token_hash"),
    tokenUsedAt: time("token_used_at"),
    ip: text("ip"),
    createdAt: createdAt(),
    expiresAt: time("expires_at").notNull(),
    /** When somebody ended it before its time. */
    endedAt: time("ended_at"),
  },
  (table) => [
    uniqueIndex("short_keys_secret").on(table.secretHash),
    uniqueIndex("short_keys_token").on(table.keyId, table.tokenHash).where(sql`token_hash is not null`),
    index("short_keys_rule").on(table.keyId, table.id),
    index("short_keys_account").on(table.accountId),
    index("short_keys_expiry").on(table.expiresAt),
  ],
);

/** Decisions made when the installation began, in one row. */
export const installation = pgTable("installation", {
  id: text("id").primaryKey(),
  /**
   * Days that history is kept if the settings do not say; null: for ever, as in releases that kept
   * everything.
   */
  historyDays: integer("history_days"),
  auditDays: integer("audit_days"),
});
