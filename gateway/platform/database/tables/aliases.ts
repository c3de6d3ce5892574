import type { GoOnReason } from "#contract/aliases.ts";
import { boolean, index, pgTable, sql, text, uniqueIndex } from "../drizzle.ts";
import { accounts } from "./accounts.ts";
import { createdAt, time } from "./columns.ts";

/** Names that stand for models, in the order in which these are tried. */
export const aliases = pgTable(
  "aliases",
  {
    id: text("id").primaryKey(),
    /** Null: an operator's, for everyone. */
    accountId: text("account_id").references(() => accounts.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    models: text("models").array().notNull(),
    goOnWhen: text("go_on_when").array().$type<GoOnReason[]>().notNull(),
    /** Whether a stream that breaks is continued by the next model. */
    continueStreams: boolean("continue_streams").notNull().default(false),
    createdAt: createdAt(),
    updatedAt: time("updated_at").notNull().defaultNow(),
  },
  (table) => [
    index("aliases_account").on(table.accountId, table.id),
    uniqueIndex("aliases_name").on(sql`coalesce(account_id, '')`, table.name),
  ],
);
