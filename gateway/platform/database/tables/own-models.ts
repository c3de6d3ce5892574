import type { ModelSource } from "#contract/operator/models.ts";
import { bigint, boolean, integer, json, jsonb, pgTable, primaryKey, text } from "../drizzle.ts";
import { createdAt, time } from "./columns.ts";

/** Catalog entries of operators. A row stays when its entry is deleted: what ran with it can still be read. */
export const ownModels = pgTable("own_models", {
  /** `<namespace>/<name>` */
  id: text("id").primaryKey(),
  /** The revision that is offered. */
  revision: integer("revision").notNull(),
  /** The revision of the configuration in which it was changed last; part of the registry's revision. */
  changeNumber: bigint("change_number", { mode: "number" }).notNull(),
  /** Since when it is not offered any more. */
  leftAt: time("left_at"),
  createdAt: createdAt(),
  updatedAt: time("updated_at").notNull().defaultNow(),
});

/** Every state of an own entry, never changed: running predictions keep theirs, and each can be brought back. */
export const ownModelRevisions = pgTable(
  "own_model_revisions",
  {
    modelId: text("model_id")
      .notNull()
      .references(() => ownModels.id, { onDelete: "cascade" }),
    revision: integer("revision").notNull(),
    /** A catalog entry (`gateway/models/catalog/entry.ts`). Not jsonb, which would sort the fields of its schema. */
    entry: json("entry").$type<object>().notNull(),
    source: jsonb("source").$type<ModelSource>().notNull(),
    /** The name of the operator. */
    madeBy: text("made_by").notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.modelId, table.revision] })],
);

/** How an entry is offered, also one of the specification; without a row, as it is published. */
export const modelSettings = pgTable("model_settings", {
  modelId: text("model_id").primaryKey(),
  displayName: text("display_name"),
  hidden: boolean("hidden").notNull().default(false),
  /** Who can see and use it; null: all accounts. */
  accounts: jsonb("accounts").$type<string[]>(),
});
