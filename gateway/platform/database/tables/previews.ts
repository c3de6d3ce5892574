import { bigint, index, pgTable, sql, text } from "../drizzle.ts";
import { accounts } from "./accounts.ts";
import { createdAt, time } from "./columns.ts";

/** The small picture of a stored file, made when somebody first looks at it. The row goes with the file. */
export const previews = pgTable(
  "previews",
  {
    /** The object key of the file. */
    key: text("key").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** `none`: the file cannot be read, and is not tried again. */
    state: text("state").$type<"making" | "made" | "none">().notNull(),
    /** Its own object key; while it is made, the one that its maker will use. */
    previewKey: text("preview_key"),
    sizeBytes: bigint("size_bytes", { mode: "number" }).notNull().default(0),
    /** While it is made: when another process may take over. */
    claimedUntil: time("claimed_until"),
    createdAt: createdAt(),
  },
  (table) => [index("previews_claimed").on(table.claimedUntil).where(sql`claimed_until is not null`)],
);
