import type { ConnectionEnd } from "#contract/connection-constants.ts";
import { boolean, index, pgTable, sql, text, uniqueIndex } from "../drizzle.ts";
import { apiKeys } from "./accounts.ts";
import { createdAt, time } from "./columns.ts";

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
