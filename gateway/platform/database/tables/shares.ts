import { index, integer, jsonb, pgTable, text } from "../drizzle.ts";
import { accounts } from "./accounts.ts";
import { createdAt, time } from "./columns.ts";

/** An output of a link, with what was known of its run when it was shared. */
export interface SharedOutput {
  outputId: string;
  /** Null: not to be shown. */
  prompt: string | null;
  sandbox: boolean;
  width: number | null;
  height: number | null;
  /** Seconds. */
  duration: number | null;
}

/** Links that work. A row goes when its link is revoked or has ended; the audit log keeps who made it. No secret: see `newToken` in `shares/view.ts`. */
export const shares = pgTable(
  "shares",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** Who made it, as in `predictions`. */
    keyId: text("key_id"),
    userId: text("user_id"),
    outputs: jsonb("outputs").$type<SharedOutput[]>().notNull(),
    createdAt: createdAt(),
    expiresAt: time("expires_at").notNull(),
    openings: integer("openings").notNull().default(0),
    lastOpenedAt: time("last_opened_at"),
  },
  (table) => [
    index("shares_account").on(table.accountId, table.id),
    index("shares_expiry").on(table.expiresAt),
  ],
);
