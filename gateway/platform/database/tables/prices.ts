import type { PriceComponent } from "#contract/operator/prices.ts";
import { index, jsonb, numeric, pgTable, sql, text } from "../drizzle.ts";
import { accounts } from "./accounts.ts";
import { createdAt, time } from "./columns.ts";

/**
 * The versions of all prices. A row is never changed: another one with the same scope follows it. Lines of usage name the
 * version that they were priced with, so rows stay.
 */
export const prices = pgTable(
  "prices",
  {
    id: text("id").primaryKey(),
    /** The account that pays this price; null: a cost price. */
    accountId: text("account_id").references(() => accounts.id, { onDelete: "cascade" }),
    model: text("model").notNull(),
    apiType: text("api_type").notNull(),
    /** Null: whoever runs it, wherever. */
    provider: text("provider"),
    region: text("region"),
    /** Null: the prices file names it no more, so that the console's price holds again. Empty: it has no price. */
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

/** What an account pays above or below the cost, in percent; without an account, all that have none of their own. */
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
