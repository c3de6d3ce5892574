import type { ConversationContents } from "#contract/conversations.ts";
import { index, integer, jsonb, pgTable, text } from "../drizzle.ts";
import { accounts } from "./accounts.ts";
import { createdAt, time } from "./columns.ts";

/** Chats that members have saved for their account. */
export const conversations = pgTable(
  "conversations",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** Who made it, as in `predictions`. */
    keyId: text("key_id"),
    userId: text("user_id"),
    /** Counts changes, so that two people do not overwrite each other. */
    version: integer("version").notNull().default(1),
    /** Who changed it last; both null: nobody has since it was made. */
    changedByKeyId: text("changed_by_key_id"),
    changedByUserId: text("changed_by_user_id"),
    name: text("name").notNull(),
    model: text("model").notNull(),
    /** The model of the second column. */
    secondModel: text("second_model"),
    contents: jsonb("contents").$type<ConversationContents>().notNull(),
    createdAt: createdAt(),
    updatedAt: time("updated_at").notNull().defaultNow(),
  },
  (table) => [
    index("conversations_account").on(table.accountId, table.id),
    index("conversations_updated").on(table.updatedAt),
  ],
);
