import type { ApiType } from "#contract/catalog-constants.ts";
import {
  type GuardStage,
  type guardFallbacks,
  type guardStreams,
  heldCharacters,
} from "#contract/guard-constants.ts";
import type { Sentence } from "#contract/sentences.ts";
import type { Sealed } from "#gateway/platform/core/console-secret.ts";
import { boolean, integer, jsonb, pgTable, sql, text, uniqueIndex } from "../drizzle.ts";
import { accounts } from "./accounts.ts";
import { createdAt, time } from "./columns.ts";

/** A signing secret of a guard; the current one never expires. */
export interface GuardSecret extends Sealed {
  hint: string;
  /** ISO 8601. */
  expiresAt: string | null;
}

/** Programs that are asked about runs: at most one per account, and one of the installation. */
export const guards = pgTable(
  "guards",
  {
    id: text("id").primaryKey(),
    /** Null: the guard of the installation, for the runs of all accounts. */
    accountId: text("account_id").references(() => accounts.id, { onDelete: "cascade" }),
    enabled: boolean("enabled").notNull().default(true),
    url: text("url").notNull(),
    stages: text("stages").array().$type<GuardStage[]>().notNull(),
    /** How it is asked about the output of a stream. */
    streams: text("streams").$type<(typeof guardStreams)[number]>().notNull().default("after"),
    holdCharacters: integer("hold_characters").notNull().default(heldCharacters.default),
    onError: text("on_error").$type<(typeof guardFallbacks)[number]>().notNull(),
    /** Which runs it is asked about; null: all. */
    operations: text("operations").array().$type<ApiType[]>(),
    models: text("models").array(),
    keyIds: text("key_ids").array(),
    exceptKeyIds: text("except_key_ids").array().notNull().default([]),
    /** Who turned the contents of gated models on. Null: the guard gets none of them. */
    answeredBy: text("answered_by"),
    allowPrivate: boolean("allow_private").notNull().default(false),
    /** The current secret first. */
    secrets: jsonb("secrets").$type<GuardSecret[]>().notNull(),
    failingSince: time("failing_since"),
    lastError: text("last_error"),
    /** The same as a code; null: a release without codes wrote it. */
    lastErrorCode: jsonb("last_error_code").$type<Sentence>(),
    createdAt: createdAt(),
    updatedAt: time("updated_at").notNull().defaultNow(),
  },
  (table) => [uniqueIndex("guards_owner").on(sql`coalesce(${table.accountId}, '')`)],
);
