import type { MonthlyBudget } from "#contract/accounts/keys.ts";
import type { Role } from "#contract/accounts/roles.ts";
import type { Budgets } from "#contract/money/budgets.ts";
import { index, jsonb, pgTable, primaryKey, text } from "../drizzle.ts";
import { accounts, users } from "./accounts.ts";
import { createdAt, time } from "./columns.ts";

/** Who belongs to which account, and as what. */
export const members = pgTable(
  "members",
  {
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    role: text("role").$type<Role>().notNull(),
    /** What the member's sessions and personal keys may use together in a month. */
    monthlyBudget: jsonb("monthly_budget").$type<MonthlyBudget>(),
    /** The same in money; null: none. */
    budgets: jsonb("budgets").$type<Budgets>(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.userId] }),
    index("members_user").on(table.userId),
  ],
);

/** A link that makes somebody a member. Its token is shown once. */
export const invitations = pgTable(
  "invitations",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    email: text("email").notNull(),
    role: text("role").$type<Role>().notNull(),
    /** sha256 (hex); a renewed invitation has another one. */
    tokenHash: text("token_hash").notNull(),
    invitedBy: text("invited_by").references(() => users.id, { onDelete: "set null" }),
    createdAt: createdAt(),
    expiresAt: time("expires_at").notNull(),
    acceptedAt: time("accepted_at"),
    revokedAt: time("revoked_at"),
    /** The invitation of the same address that ended this one. */
    replacedBy: text("replaced_by"),
  },
  (table) => [
    index("invitations_account").on(table.accountId, table.id),
    index("invitations_expiry").on(table.expiresAt),
  ],
);

/** A link with which a user sets a new password, once. */
export const passwordResets = pgTable(
  "password_resets",
  {
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    tokenHash: text("token_hash").notNull(),
    /** Null: the command line. */
    madeBy: text("made_by"),
    createdAt: createdAt(),
    expiresAt: time("expires_at").notNull(),
    usedAt: time("used_at"),
  },
  (table) => [
    index("password_resets_user").on(table.userId),
    index("password_resets_expiry").on(table.expiresAt),
  ],
);
