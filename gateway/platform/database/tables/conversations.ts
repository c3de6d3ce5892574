import type { ConversationContents } from "#contract/conversations.ts";
import { index, jsonb, pgTable, text } from "../drizzle.ts";
import { createdAt, time } from "./columns.ts";
import { sharedColumns } from "./shared-columns.ts";

/** Chats that members have saved for their account. */
export const conversations = pgTable(
  "conversations",
  {
    ...sharedColumns(),
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
