import { bigint, index, json, pgTable, text } from "drizzle-orm/pg-core";
import type { Item, Response } from "#contract/responses.ts";
import { accounts } from "./accounts.ts";
import { createdAt, time } from "./columns.ts";

/** What was said in one response: its own input, its output, and where the conversation before it is. */
export const responses = pgTable(
  "responses",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** Who asked, as in `predictions`. */
    keyId: text("key_id"),
    userId: text("user_id"),
    /** Without the items that it goes on from. */
    previousId: text("previous_id"),
    /** As text: a model may say what `jsonb` refuses. */
    input: json("input").$type<Item[]>().notNull(),
    response: json("response").$type<Response>().notNull(),
    storedBytes: bigint("stored_bytes", { mode: "number" }).notNull(),
    createdAt: createdAt(),
    expiresAt: time("expires_at").notNull(),
  },
  (table) => [
    index("responses_account").on(table.accountId, table.id),
    index("responses_expiry").on(table.expiresAt),
  ],
);
