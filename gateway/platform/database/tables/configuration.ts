import type { RegionName } from "#contract/catalog.ts";
import type { KeyRules, ProviderProtocol, ProviderSettings } from "#contract/operator/providers.ts";
import type { Sealed } from "#gateway/platform/core/master-secret.ts";
import { bigint, boolean, index, jsonb, pgTable, sql, text, uniqueIndex } from "../drizzle.ts";
import { auditLogs } from "./accounts.ts";
import { createdAt, time } from "./columns.ts";

/** One row: the revision grows with every change of what operators configure, so that all processes follow it. */
export const configuration = pgTable("configuration", {
  id: text("id").primaryKey(),
  revision: bigint("revision", { mode: "number" }).notNull().default(0),
});

/** Where a key is; none of both for an upstream without keys. */
export interface StoredSecret {
  sealed?: Sealed;
  /** The last characters of the sealed key. */
  hint?: string;
  ref?: string;
}

export interface StoredKey extends StoredSecret, KeyRules {}

/** The first key of a region, which may have no name when it is the only one, and the others. */
export interface StoredCredential extends StoredSecret, Partial<KeyRules> {
  more?: StoredKey[];
}

export type StoredCredentials = Partial<Record<RegionName, StoredCredential>>;
export type FormerCredentials = Record<string, { at: string; credentials: StoredCredentials }>;

/** The providers that operators connected; those of the file are not here. */
export const providerConnections = pgTable(
  "provider_connections",
  {
    id: text("id").primaryKey(),
    name: text("name").notNull(),
    /** Names that it had before, oldest first: what runs there since then, and routes of undone changes, go by them. */
    formerNames: text("former_names").array().notNull().default([]),
    protocol: text("protocol").$type<ProviderProtocol>().notNull(),
    preset: text("preset"),
    baseUrl: text("base_url"),
    baseUrls: jsonb("base_urls").$type<Partial<Record<RegionName, string>>>().notNull().default({}),
    credentials: jsonb("credentials").$type<StoredCredentials>().notNull(),
    allowPrivate: boolean("allow_private").notNull().default(false),
    settings: jsonb("settings").$type<ProviderSettings>().notNull().default({}),
    /** Since when it takes nothing new; it is gone when its running predictions have ended. */
    leavingAt: time("leaving_at"),
    /** Since when it is gone; the row is kept for a day, so that the deletion can be undone. */
    goneAt: time("gone_at"),
    /** Credentials that a change replaced, kept as long, by the id of the change. */
    formerCredentials: jsonb("former_credentials").$type<FormerCredentials>().notNull().default({}),
    createdAt: createdAt(),
    updatedAt: time("updated_at").notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex("provider_connections_name").on(sql`lower(${table.name})`).where(sql`gone_at is null`),
  ],
);

/** The changes of the configuration: an audit row each, which has what was before and after. */
export const configurationChanges = pgTable(
  "configuration_changes",
  {
    id: text("id")
      .primaryKey()
      .references(() => auditLogs.id, { onDelete: "cascade" }),
    targetId: text("target_id").notNull(),
    /** The things that it changed, where these are parts of the target, such as routes; null: the target. */
    touches: text("touches").array(),
    /** The change that it took back. */
    undoes: text("undoes"),
  },
  (table) => [index("configuration_changes_target").on(table.targetId, table.id)],
);
