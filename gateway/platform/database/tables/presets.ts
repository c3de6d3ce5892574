import type { ApiType } from "#contract/catalog.ts";
import { index, integer, jsonb, pgTable, primaryKey, sql, text, uniqueIndex } from "../drizzle.ts";
import { createdAt, time } from "./columns.ts";
import { sharedColumns } from "./shared-columns.ts";

/** A file of this gateway that a preset's input named when it was saved. */
export interface KeptMedia {
  /** JSON pointer. */
  path: string;
  /** The upload whose reference the input still has; null: it was removed from the input. */
  upload: string | null;
}

export const presets = pgTable(
  "presets",
  {
    ...sharedColumns(),
    apiType: text("api_type").$type<ApiType>().notNull(),
    /** Null stands where a file's reference was. */
    input: jsonb("input").$type<Record<string, unknown>>().notNull(),
    schemaVersion: integer("schema_version").notNull(),
    media: jsonb("media").$type<KeptMedia[]>().notNull(),
    /** When the first of the uploads that the input names ends; null: it names none. */
    mediaExpiresAt: time("media_expires_at"),
    createdAt: createdAt(),
    updatedAt: time("updated_at").notNull().defaultNow(),
  },
  (table) => [
    index("presets_account").on(table.accountId, table.id),
    uniqueIndex("presets_name").on(table.accountId, table.model, table.apiType, sql`lower(name)`),
    index("presets_media").on(table.mediaExpiresAt).where(sql`media_expires_at is not null`),
  ],
);

/** What presets were before their last changes. Those that the release before makes are missing. */
export const presetVersions = pgTable(
  "preset_versions",
  {
    presetId: text("preset_id")
      .notNull()
      .references(() => presets.id, { onDelete: "cascade" }),
    version: integer("version").notNull(),
    /** Who made the change that began it. */
    keyId: text("key_id"),
    userId: text("user_id"),
    name: text("name").notNull(),
    /** As in `presets`, and so are the next three. */
    input: jsonb("input").$type<Record<string, unknown>>().notNull(),
    schemaVersion: integer("schema_version").notNull(),
    media: jsonb("media").$type<KeptMedia[]>().notNull(),
    mediaExpiresAt: time("media_expires_at"),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.presetId, table.version] }),
    index("preset_versions_media").on(table.mediaExpiresAt).where(sql`media_expires_at is not null`),
  ],
);
