import type { RegionName } from "#contract/catalog.ts";
import type { UpstreamRateLimit } from "#contract/operator/health.ts";
import type { ModelSource } from "#contract/operator/models.ts";
import type { PriceComponent } from "#contract/operator/prices.ts";
import type { KeyRules, ProviderProtocol, ProviderSettings } from "#contract/operator/providers.ts";
import type { RouteEntry } from "#contract/operator/routes.ts";
import type { IncidentImpact, IncidentStatus } from "#contract/status-constants.ts";
import type { Sealed } from "#gateway/platform/core/console-secret.ts";
import {
  bigint,
  boolean,
  index,
  integer,
  json,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  sql,
  text,
  uniqueIndex,
} from "../drizzle.ts";
import { accounts, auditLogs } from "./accounts.ts";
import { createdAt, time } from "./columns.ts";

/** One row: its revision increases with every configuration change, so that all processes notice. */
export const configuration = pgTable("configuration", {
  id: text("id").primaryKey(),
  revision: bigint("revision", { mode: "number" }).notNull().default(0),
});

/** Where a key is stored: sealed here, or named by `ref`. Both are absent for an upstream without keys. */
export interface StoredSecret {
  sealed?: Sealed;
  /** The last characters of the sealed key. */
  hint?: string;
  ref?: string;
}

export interface StoredKey extends StoredSecret, KeyRules {}

/** The keys of a region: the first one here, further ones in `more`. An only key needs no name. */
export interface StoredCredential extends StoredSecret, Partial<KeyRules> {
  more?: StoredKey[];
}

export type StoredCredentials = Partial<Record<RegionName, StoredCredential>>;
export type FormerCredentials = Record<string, { at: string; credentials: StoredCredentials }>;

/** The providers that operators connected. Providers of the providers file have no row. */
export const providerConnections = pgTable(
  "provider_connections",
  {
    id: text("id").primaryKey(),
    name: text("name").notNull(),
    /** Former names, oldest first: earlier runs and routes of undone changes use them. */
    formerNames: text("former_names").array().notNull().default([]),
    protocol: text("protocol").$type<ProviderProtocol>().notNull(),
    preset: text("preset"),
    baseUrl: text("base_url"),
    baseUrls: jsonb("base_urls").$type<Partial<Record<RegionName, string>>>().notNull().default({}),
    credentials: jsonb("credentials").$type<StoredCredentials>().notNull(),
    allowPrivate: boolean("allow_private").notNull().default(false),
    settings: jsonb("settings").$type<ProviderSettings>().notNull().default({}),
    /** Since when the provider accepts nothing new; it is removed once its running predictions have ended. */
    leavingAt: time("leaving_at"),
    /** Since when the provider is removed; the row is kept for a day, so that the removal can be undone. */
    goneAt: time("gone_at"),
    /** Credentials that a change replaced, by the id of the change; kept for a day. */
    formerCredentials: jsonb("former_credentials").$type<FormerCredentials>().notNull().default({}),
    createdAt: createdAt(),
    updatedAt: time("updated_at").notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex("provider_connections_name").on(sql`lower(${table.name})`).where(sql`gone_at is null`),
  ],
);

/** The configuration changes: one audit row each, with the states before and after. */
export const configurationChanges = pgTable(
  "configuration_changes",
  {
    id: text("id")
      .primaryKey()
      .references(() => auditLogs.id, { onDelete: "cascade" }),
    targetId: text("target_id").notNull(),
    /** The ids of the changed parts of the target, such as routes; null: the whole target. */
    touches: text("touches").array(),
    /** The earlier change that this change undid. */
    undoes: text("undoes"),
  },
  (table) => [index("configuration_changes_target").on(table.targetId, table.id)],
);

/** Operators' catalog entries. A row stays when its entry is deleted, so that its runs can still be read. */
export const ownModels = pgTable("own_models", {
  /** `<namespace>/<name>` */
  id: text("id").primaryKey(),
  /** The revision that is offered to callers. */
  revision: integer("revision").notNull(),
  /** The configuration revision of its last change; part of the registry's revision. */
  changeNumber: bigint("change_number", { mode: "number" }).notNull(),
  /** Since when the model is no longer offered. */
  leftAt: time("left_at"),
  createdAt: createdAt(),
  updatedAt: time("updated_at").notNull().defaultNow(),
});

/**
 * Every revision of an operator's own entry. Rows never change: running predictions keep their revision, and
 * any revision can be restored.
 */
export const ownModelRevisions = pgTable(
  "own_model_revisions",
  {
    modelId: text("model_id")
      .notNull()
      .references(() => ownModels.id, { onDelete: "cascade" }),
    revision: integer("revision").notNull(),
    /**
     * A catalog entry (`gateway/models/catalog/entry.ts`). Not jsonb, because that would sort the fields of
     * its schema.
     */
    entry: json("entry").$type<object>().notNull(),
    source: jsonb("source").$type<ModelSource>().notNull(),
    /** The name of the operator. */
    madeBy: text("made_by").notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.modelId, table.revision] })],
);

/**
 * Operators' settings for a catalog entry, whether their own or one of the specification. Without a row the
 * defaults apply.
 */
export const modelSettings = pgTable("model_settings", {
  modelId: text("model_id").primaryKey(),
  displayName: text("display_name"),
  hidden: boolean("hidden").notNull().default(false),
  /** Which accounts can see and use the model; null: all. */
  accounts: jsonb("accounts").$type<string[]>(),
});

/** The routes that operators made. Routes of the providers file have no row. */
export const routes = pgTable("routes", {
  id: text("id").primaryKey(),
  /** The order of routes, which decides among routes of the same priority without weights. */
  position: integer("position").notNull(),
  entry: jsonb("entry").$type<RouteEntry>().notNull(),
  createdAt: createdAt(),
  updatedAt: time("updated_at").notNull().defaultNow(),
});

/**
 * The last observations of all processes about a model at a provider in a region. Written once per second if
 * there is news, not with each request.
 */
export const upstreamHealth = pgTable(
  "upstream_health",
  {
    provider: text("provider").notNull(),
    model: text("model").notNull(),
    region: text("region").notNull(),
    lastSuccessAt: time("last_success_at"),
    lastFailureAt: time("last_failure_at"),
    failureCode: text("failure_code"),
    /** The upstream's own words, without keys. */
    failureMessage: text("failure_message"),
    /** Until this time processes try this upstream only after the others. */
    openUntil: time("open_until"),
    rateLimit: jsonb("rate_limit").$type<UpstreamRateLimit>(),
  },
  (table) => [primaryKey({ columns: [table.provider, table.model, table.region] })],
);

/**
 * All versions of all prices. A row never changes: a newer one with the same scope replaces it. Usage lines
 * refer to the version that priced them, so rows are kept.
 */
export const prices = pgTable(
  "prices",
  {
    id: text("id").primaryKey(),
    /** The account that pays this price; null: a cost price. */
    accountId: text("account_id").references(() => accounts.id, { onDelete: "cascade" }),
    model: text("model").notNull(),
    apiType: text("api_type").notNull(),
    /** Null, with `region`: the price is for any provider and region. */
    provider: text("provider"),
    region: text("region"),
    /**
     * Null: the prices file no longer sets this price, so the console's price applies again. Empty: runs here
     * have no price.
     */
    components: jsonb("components").$type<PriceComponent[]>(),
    source: text("source").$type<"console" | "file">().notNull(),
    effectiveAt: time("effective_at").notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index("prices_scope").on(table.model, table.apiType, table.effectiveAt),
    index("prices_account").on(table.accountId).where(sql`account_id is not null`),
  ],
);

/**
 * The percentage that an account pays above or below the cost. A row without an account applies to all
 * accounts that have no percentage of their own.
 */
export const markups = pgTable(
  "markups",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id").references(() => accounts.id, { onDelete: "cascade" }),
    percent: numeric("percent").notNull(),
    effectiveAt: time("effective_at").notNull(),
    createdAt: createdAt(),
  },
  (table) => [index("markups_account").on(table.accountId)],
);

/** Incidents that operators publish to all accounts on the status page. */
export const incidents = pgTable(
  "incidents",
  {
    id: text("id").primaryKey(),
    title: text("title").notNull(),
    impact: text("impact").$type<IncidentImpact>().notNull(),
    /** The affected models and regions; empty: all. */
    models: text("models").array().notNull(),
    regions: text("regions").array().$type<RegionName[]>().notNull(),
    startedAt: time("started_at").notNull(),
    resolvedAt: time("resolved_at"),
    createdAt: createdAt(),
  },
  (table) => [index("incidents_resolved").on(table.resolvedAt)],
);

export const incidentUpdates = pgTable(
  "incident_updates",
  {
    id: text("id").primaryKey(),
    incidentId: text("incident_id")
      .notNull()
      .references(() => incidents.id, { onDelete: "cascade" }),
    status: text("status").$type<IncidentStatus>().notNull(),
    text: text("text").notNull(),
    at: time("at").notNull(),
  },
  (table) => [index("incident_updates_incident").on(table.incidentId, table.id)],
);

/**
 * The key pairs that sign receipts. One is in use; a retired one keeps its public key for ever, so that its receipts can
 * still be checked.
 */
export const receiptKeys = pgTable(
  "receipt_keys",
  {
    /** The thumbprint of the public key (RFC 7638). */
    kid: text("kid").primaryKey(),
    /** 32 bytes, in base64url. */
    publicKey: text("public_key").notNull(),
    sealedBy: text("sealed_by"),
    /** The private key as PKCS 8, sealed; null once it is retired. */
    ciphertext: text("ciphertext"),
    createdAt: createdAt(),
    retiredAt: time("retired_at"),
  },
  () => [uniqueIndex("receipt_keys_current").on(sql`(retired_at is null)`).where(sql`retired_at is null`)],
);
