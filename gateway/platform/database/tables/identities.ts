import type { ClaimsReport, ProviderPurpose } from "#contract/accounts/oidc.ts";
import { index, jsonb, pgTable, primaryKey, text, uniqueIndex } from "../drizzle.ts";
import { sessions, users } from "./accounts.ts";
import { createdAt, time } from "./columns.ts";

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
