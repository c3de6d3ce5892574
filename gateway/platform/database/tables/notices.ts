import type { Cause, HookTemplate } from "#contract/notice-constants.ts";
import { boolean, index, integer, jsonb, pgTable, sql, text, uniqueIndex } from "../drizzle.ts";
import { accounts, users } from "./accounts.ts";
import { createdAt, time } from "./columns.ts";

/** What a notice says of its cause, beside the words that all of its kind have. Never a secret. */
export type CauseData = Record<string, string | number | boolean | null>;

/**
 * What happened, written in the transaction that caused it. A worker then writes who hears of it and how; the row stays for a
 * while, so that a cause that may happen only once is known by its key.
 */
export const noticeCauses = pgTable(
  "notice_causes",
  {
    id: text("id").primaryKey(),
    cause: text("cause").$type<Cause>().notNull(),
    /** Null: it concerns the installation, or a person whatever their account. */
    accountId: text("account_id").references(() => accounts.id, { onDelete: "cascade" }),
    /** Whom it concerns, where that is one person. */
    userId: text("user_id").references(() => users.id, { onDelete: "cascade" }),
    /** What it is about, such as an endpoint. */
    subjectId: text("subject_id"),
    data: jsonb("data").$type<CauseData>().notNull(),
    onceKey: text("once_key"),
    createdAt: createdAt(),
    /** How often it could not be found out who hears of it. */
    failures: integer("failures").notNull().default(0),
    /** When it was known who hears of it. */
    spreadAt: time("spread_at"),
  },
  (table) => [
    uniqueIndex("notice_causes_once").on(table.onceKey).where(sql`once_key is not null`),
    index("notice_causes_unspread").on(table.id).where(sql`spread_at is null`),
    index("notice_causes_age").on(table.createdAt),
  ],
);

/** What one recipient heard of in the console: a row for each cause, which counts on until it was read. */
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
    /** What is counted together: of one account a cause, or a cause and its subject. */
    groupKey: text("group_key").notNull(),
    /** Of the latest. */
    data: jsonb("data").$type<CauseData>().notNull(),
    count: integer("count").notNull().default(1),
    createdAt: createdAt(),
    lastAt: time("last_at").notNull().defaultNow(),
    readAt: time("read_at"),
    /** Why no e-mail of it could be sent. */
    emailError: text("email_error"),
    /** It concerns this person, whatever their role. */
    isPersonal: boolean("is_personal").notNull().default(false),
    /** The recipient chose e-mail alone; it is shown once that has failed. */
    isHidden: boolean("is_hidden").notNull().default(false),
  },
  (table) => [
    index("notices_recipient").on(table.recipient, table.id),
    uniqueIndex("notices_unread").on(table.recipient, table.groupKey).where(sql`read_at is null`),
    index("notices_account").on(table.accountId),
    index("notices_age").on(table.createdAt),
  ],
);

/** What somebody chose to hear of, and how; what is not named is as `noticeCauses` in the contract says. */
export const noticePreferences = pgTable("notice_preferences", {
  userId: text("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  choices: jsonb("choices").$type<Partial<Record<Cause, { console: boolean; email: boolean }>>>().notNull(),
});

/** Addresses of chat services and programs that notices are posted to. The address is a secret. */
export const noticeHooks = pgTable(
  "notice_hooks",
  {
    id: text("id").primaryKey(),
    /** Null: the operators', for what concerns the installation. */
    accountId: text("account_id").references(() => accounts.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    template: text("template").$type<HookTemplate>().notNull(),
    causes: text("causes").$type<Cause>().array().notNull(),
    keyId: text("key_id").notNull(),
    ciphertext: text("ciphertext").notNull(),
    /** Host and last characters. */
    hint: text("hint").notNull(),
    lastSentAt: time("last_sent_at"),
    lastError: text("last_error"),
    lastErrorAt: time("last_error_at"),
    createdBy: text("created_by"),
    createdAt: createdAt(),
  },
  (table) => [index("notice_hooks_account").on(table.accountId, table.id)],
);

/** One notice in a message. */
export interface MessageItem {
  noticeId: string | null;
  cause: Cause;
  subjectId: string | null;
  groupKey: string;
  data: CauseData;
  count: number;
}

/**
 * What is sent: an e-mail, or a post to a hook. The row is the job, which a worker leases. While it is `gathering`, it is a
 * digest that more is added to.
 */
export const noticeMessages = pgTable(
  "notice_messages",
  {
    id: text("id").primaryKey(),
    kind: text("kind").$type<MessageKind>().notNull(),
    accountId: text("account_id").references(() => accounts.id, { onDelete: "cascade" }),
    userId: text("user_id").references(() => users.id, { onDelete: "cascade" }),
    hookId: text("hook_id").references(() => noticeHooks.id, { onDelete: "cascade" }),
    /** Of e-mails to somebody who may be no user. */
    address: text("address"),
    /** User or hook: whose messages of a cause are one in an hour. */
    recipient: text("recipient").notNull(),
    causes: text("causes").$type<Cause>().array().notNull().default([]),
    items: jsonb("items").$type<MessageItem[]>().notNull().default([]),
    /** Notices beyond those that one message lists. */
    more: integer("more").notNull().default(0),
    /** What else the words of the message need. */
    data: jsonb("data").$type<CauseData>().notNull().default({}),
    /** A link that lets somebody in, sealed, until it is sent. */
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

/** `reset_request`: somebody named an address at the sign-in page; whether it is a user's is found out when it is sent. */
export type MessageKind =
  | "notices"
  | "invitation"
  | "password_reset"
  | "reset_request"
  | "email_change"
  | "email_changed";
export type MessageStatus = "gathering" | "pending" | "sent" | "failed";

/** An address that somebody wants to be reached at; theirs once they have opened the link that was sent there. */
export const emailChanges = pgTable(
  "email_changes",
  {
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
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
