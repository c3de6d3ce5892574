import type { Cause, HookTemplate } from "#contract/notice-constants.ts";
import type { Language } from "#messages/languages.ts";
import { boolean, index, integer, jsonb, pgTable, sql, text, uniqueIndex } from "../drizzle.ts";
import { accounts, userId, users } from "./accounts.ts";
import { createdAt, time } from "./columns.ts";

/** The data of a notice's cause, in addition to the fixed texts of its kind. Never a secret. */
export type CauseData = Record<string, string | number | boolean | null>;

/**
 * Events worth a notice, written in the transaction that causes them. A worker then decides who is notified
 * and how. The row stays for a while, so that its key identifies a cause that may happen only once.
 */
export const noticeCauses = pgTable(
  "notice_causes",
  {
    id: text("id").primaryKey(),
    cause: text("cause").$type<Cause>().notNull(),
    /**
     * The account that the event concerns. Null: it concerns the installation, or a person whatever their
     * account.
     */
    accountId: text("account_id").references(() => accounts.id, { onDelete: "cascade" }),
    /** The person it concerns, if it is a single one. */
    userId: text("user_id").references(() => users.id, { onDelete: "cascade" }),
    /** The subject, such as an endpoint. */
    subjectId: text("subject_id"),
    data: jsonb("data").$type<CauseData>().notNull(),
    onceKey: text("once_key"),
    createdAt: createdAt(),
    /** How often determining the recipients failed. */
    failures: integer("failures").notNull().default(0),
    /** When the recipients were determined. */
    spreadAt: time("spread_at"),
  },
  (table) => [
    uniqueIndex("notice_causes_once").on(table.onceKey).where(sql`once_key is not null`),
    index("notice_causes_unspread").on(table.id).where(sql`spread_at is null`),
    index("notice_causes_age").on(table.createdAt),
  ],
);

/**
 * One recipient's notices in the console: one row per group, which counts further causes until it is read.
 */
export const notices = pgTable(
  "notices",
  {
    id: text("id").primaryKey(),
    /** A user, or an account: its own copy, which its keys read. */
    recipient: text("recipient").notNull(),
    userId: text("user_id").references(() => users.id, { onDelete: "cascade" }),
    accountId: text("account_id").references(() => accounts.id, { onDelete: "cascade" }),
    cause: text("cause").$type<Cause>().notNull(),
    subjectId: text("subject_id"),
    /** What is counted together: a cause, or a cause and its subject, per account. */
    groupKey: text("group_key").notNull(),
    data: jsonb("data").$type<CauseData>().notNull(),
    count: integer("count").notNull().default(1),
    createdAt: createdAt(),
    lastAt: time("last_at").notNull().defaultNow(),
    readAt: time("read_at"),
    /** Why its e-mail could not be sent. */
    emailError: text("email_error"),
    /** True if the notice concerns this person, whatever their role. */
    isPersonal: boolean("is_personal").notNull().default(false),
    /** The recipient chose only e-mail; it is shown in the console if that fails. */
    isHidden: boolean("is_hidden").notNull().default(false),
  },
  (table) => [
    index("notices_recipient").on(table.recipient, table.id),
    uniqueIndex("notices_unread").on(table.recipient, table.groupKey).where(sql`read_at is null`),
    index("notices_account").on(table.accountId),
    index("notices_age").on(table.createdAt),
  ],
);

/**
 * A person's choice of notices and channels. For causes without a choice, the defaults of `noticeCauses` in
 * the contract apply.
 */
export const noticePreferences = pgTable("notice_preferences", {
  userId: text("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  choices: jsonb("choices").$type<Partial<Record<Cause, { console: boolean; email: boolean }>>>().notNull(),
});

/** URLs of chat services and programs that notices are posted to. The URL is a secret. */
export const noticeHooks = pgTable(
  "notice_hooks",
  {
    id: text("id").primaryKey(),
    /** Null: the hook belongs to the operators, for notices about the installation. */
    accountId: text("account_id").references(() => accounts.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    template: text("template").$type<HookTemplate>().notNull(),
    causes: text("causes").$type<Cause>().array().notNull(),
    keyId: text("key_id").notNull(),
    ciphertext: text("ciphertext").notNull(),
    /** The URL's host and its last characters, for display. */
    hint: text("hint").notNull(),
    lastSentAt: time("last_sent_at"),
    lastError: text("last_error"),
    lastErrorAt: time("last_error_at"),
    createdBy: text("created_by"),
    createdAt: createdAt(),
  },
  (table) => [index("notice_hooks_account").on(table.accountId, table.id)],
);

/** One notice inside a message. */
export interface MessageItem {
  noticeId: string | null;
  cause: Cause;
  subjectId: string | null;
  groupKey: string;
  data: CauseData;
  count: number;
}

/**
 * An outgoing message: an e-mail, or a post to a hook. The row is the job, which a worker leases. While its
 * status is `gathering`, it is a digest that can still grow.
 */
export const noticeMessages = pgTable(
  "notice_messages",
  {
    id: text("id").primaryKey(),
    kind: text("kind").$type<MessageKind>().notNull(),
    accountId: text("account_id").references(() => accounts.id, { onDelete: "cascade" }),
    userId: text("user_id").references(() => users.id, { onDelete: "cascade" }),
    hookId: text("hook_id").references(() => noticeHooks.id, { onDelete: "cascade" }),
    /** The e-mail address, if the recipient may not be a user. */
    address: text("address"),
    /** The user or hook: at most one message per recipient and cause in an hour. */
    recipient: text("recipient").notNull(),
    causes: text("causes").$type<Cause>().array().notNull().default([]),
    items: jsonb("items").$type<MessageItem[]>().notNull().default([]),
    /** The number of notices beyond those that the message lists. */
    more: integer("more").notNull().default(0),
    /** Further data for the message text. */
    data: jsonb("data").$type<CauseData>().notNull().default({}),
    /** Null: the language of the recipient. */
    language: text("language").$type<Language>(),
    /** The sealed access link, until it is sent. */
    keyId: text("key_id"),
    ciphertext: text("ciphertext"),
    status: text("status").$type<MessageStatus>().notNull(),
    attempts: integer("attempts").notNull().default(0),
    dueAt: time("due_at").notNull().defaultNow(),
    nextAttemptAt: time("next_attempt_at").notNull().defaultNow(),
    leaseOwner: text("lease_owner"),
    leaseExpiresAt: time("lease_expires_at"),
    error: text("error"),
    createdAt: createdAt(),
    sentAt: time("sent_at"),
  },
  (table) => [
    index("notice_messages_due").on(table.nextAttemptAt).where(sql`status in ('pending', 'gathering')`),
    index("notice_messages_recipient").on(table.recipient, table.dueAt),
    index("notice_messages_age").on(table.createdAt),
    index("notice_messages_account").on(table.accountId),
    index("notice_messages_hook").on(table.hookId).where(sql`hook_id is not null`),
  ],
);

/**
 * `reset_request`: an address entered on the sign-in page; whether it belongs to a user is checked only when
 * sending.
 */
export type MessageKind =
  | "notices"
  | "invitation"
  | "password_reset"
  | "reset_request"
  | "email_change"
  | "email_changed";
export type MessageStatus = "gathering" | "pending" | "sent" | "failed";

/** A requested new e-mail address; it becomes the user's once they open the link sent to it. */
export const emailChanges = pgTable(
  "email_changes",
  {
    id: text("id").primaryKey(),
    userId: userId(),
    email: text("email").notNull(),
    tokenHash: text("token_hash").notNull(),
    createdAt: createdAt(),
    expiresAt: time("expires_at").notNull(),
    usedAt: time("used_at"),
  },
  (table) => [
    index("email_changes_user").on(table.userId),
    index("email_changes_expiry").on(table.expiresAt),
  ],
);
