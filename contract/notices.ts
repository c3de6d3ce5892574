import { type Static, Type } from "typebox";
import { languageCodes } from "#messages/languages.ts";
import { closed, Deleted, ListOf, NoQuery, Nullable, PageQuery, Timestamp } from "./list.ts";
import {
  type Cause,
  hookCauses,
  hookFields,
  hookTemplates,
  maxHooks,
  noticeCauses,
  operatorHookCauses,
} from "./notice-constants.ts";
import type { Routes } from "./routes/route.ts";
import { DeliveryFilter } from "./webhook.ts";

const Raise = Nullable(
  Type.Object(
    { task_id: Type.String(), amount: Nullable(Type.String()), max_runs: Nullable(Type.Integer()) },
    { description: "for `task.refused`: the body that `POST /tasks/{id}/raise` accepts" },
  ),
);

export const Notice = Type.Object({
  id: Type.String(),
  object: Type.Literal("notice"),
  cause: Type.Enum(noticeCauses),
  title: Type.String({ description: "the event in one line" }),
  text: Type.String(),
  count: Type.Integer({ description: "how often the event happened before the notice was read" }),
  subject_id: Nullable(Type.String({ description: "the affected resource, e.g. an endpoint" })),
  path: Type.String({ description: "page of the console on which to fix the cause" }),
  account_id: Nullable(
    Type.String({
      description: "account of the notice; null: about the installation, or about the recipient",
    }),
  ),
  created_at: Timestamp,
  last_at: Timestamp,
  read_at: Nullable(Timestamp),
  raise: Raise,
  email_error: Nullable(Type.String({ description: "why the e-mail for this notice could not be sent" })),
});
export type Notice = Static<typeof Notice>;

/** Unread notices of one cause and reason, which the console shows as one line. */
export const NoticeGroup = Type.Object({
  key: Type.String({ description: "value for `group` in `POST /notices/read_all`" }),
  cause: Type.Enum(noticeCauses),
  title: Type.String({ description: "the event in one line" }),
  text: Type.String(),
  notices: Type.Integer({ description: "number of notices in the group" }),
  path: Type.String({ description: "page of the console on which to fix the cause" }),
  newest_id: Type.String(),
  last_at: Timestamp,
  retry: Nullable(DeliveryFilter),
  raise: Raise,
});
export type NoticeGroup = Static<typeof NoticeGroup>;

export const NoticeQuery = Type.Interface(
  [PageQuery],
  {
    unread: Type.Optional(Type.Boolean({ description: "`true`: only unread notices" })),
    read: Type.Optional(Type.Boolean({ description: "`true`: only read notices" })),
    grouped: Type.Optional(Type.Boolean({ description: "`true`: the answer also has `groups`" })),
    cause: Type.Optional(Type.Enum(noticeCauses)),
    language: Type.Optional(
      Type.Enum(languageCodes, { description: "language of `title` and `text`; by default English" }),
    ),
  },
  closed,
);
export type NoticeQuery = Static<typeof NoticeQuery>;

/** Unread notices are counted only up to this number. */
export const maxCountedUnread = 100;

/** Groups are worded by this many of the newest unread notices. They count all. */
export const maxGroupedUnread = 500;

export const NoticeList = Type.Interface([ListOf(Notice)], {
  unread: Type.Integer({ description: `number of unread notices, at most ${maxCountedUnread}` }),
  groups: Type.Optional(
    Type.Array(NoticeGroup, {
      description: `unread notices by cause and reason, the newest group first. Causes with one notice per subject show their newest ${maxGroupedUnread}`,
    }),
  ),
});
export type NoticeList = Static<typeof NoticeList>;

export const NoticesRead = Type.Object({
  object: Type.Literal("notices_read"),
  read: Type.Integer({ description: "number of notices that were unread" }),
});
export type NoticesRead = Static<typeof NoticesRead>;

/**
 * Marks notices as read, up to the newest that the page has shown, so that unseen ones stay unread. `group`
 * limits this to the notices of one group.
 */
export const NoticesReadAll = Type.Object(
  { up_to: Type.Optional(Type.String()), group: Type.Optional(Type.String({ maxLength: 200 })) },
  closed,
);
export type NoticesReadAll = Static<typeof NoticesReadAll>;

const Choice = Type.Object({ console: Type.Boolean(), email: Type.Boolean() }, closed);

const Preference = Type.Object({
  cause: Type.Enum(noticeCauses),
  console: Type.Boolean(),
  email: Type.Boolean(),
  is_default: Type.Boolean({ description: "true when the person has not chosen other channels" }),
});

export const NoticePreferences = Type.Object({
  object: Type.Literal("notice_preferences"),
  data: Type.Array(Preference, {
    description: "one entry for every cause that the caller can be notified about",
  }),
  email: Type.Object({
    address: Type.String(),
    available: Type.Boolean({ description: "true when this installation sends e-mail" }),
  }),
});
export type NoticePreferences = Static<typeof NoticePreferences>;

export const NoticePreferencesUpdate = Type.Object(
  {
    choices: Type.Partial(Type.Record(Type.Enum(noticeCauses), Choice), {
      additionalProperties: false,
      minProperties: 1,
      description: "channels by cause; causes that are not named keep theirs",
    }),
  },
  closed,
);

export type NoticePreferencesUpdate = { choices: Partial<Record<string, Static<typeof Choice>>> };

const HookName = Type.String(hookFields.name);

const HookUrl = Type.String(hookFields.url);

const causesAmong = (causes: Cause[]) =>
  Type.Array(Type.Enum(causes), { minItems: 1, maxItems: causes.length, uniqueItems: true });

export const NoticeHook = Type.Object({
  id: Type.String(),
  object: Type.Literal("notice_hook"),
  name: Type.String(),
  template: Type.Enum(hookTemplates),
  causes: Type.Array(Type.String()),
  url_hint: Type.String({ description: "host and last characters of the URL, which is a secret" }),
  last_sent_at: Nullable(Timestamp),
  last_error: Nullable(Type.String({ description: "why the last message could not be sent" })),
  last_error_at: Nullable(Timestamp),
  created_at: Timestamp,
});
export type NoticeHook = Static<typeof NoticeHook>;

const hookCreate = (causes: Cause[]) =>
  Type.Object(
    {
      name: HookName,
      template: Type.Enum(hookTemplates),
      url: HookUrl,
      causes: Type.Optional(causesAmong(causes)),
    },
    closed,
  );

export const NoticeHookCreate = hookCreate(hookCauses);

export const OperatorHookCreate = hookCreate(operatorHookCauses);
export type NoticeHookCreate = Static<typeof NoticeHookCreate>;

const hookUpdate = (causes: Cause[]) =>
  Type.Object(
    {
      name: Type.Optional(HookName),
      template: Type.Optional(Type.Enum(hookTemplates)),
      url: Type.Optional(HookUrl),
      causes: Type.Optional(causesAmong(causes)),
    },
    { ...closed, minProperties: 1 },
  );

export const NoticeHookUpdate = hookUpdate(hookCauses);

export const OperatorHookUpdate = hookUpdate(operatorHookCauses);
export type NoticeHookUpdate = Static<typeof NoticeHookUpdate>;

export const NoticeHookList = Type.Interface([ListOf(NoticeHook)], {
  limit: Type.Integer({ description: `most incoming webhooks (${maxHooks})` }),
});
export type NoticeHookList = Static<typeof NoticeHookList>;

/** The result of a test message, which is sent at once. */
export const TestResult = Type.Object({
  object: Type.Literal("notice_test"),
  sent: Type.Boolean(),
  error: Nullable(Type.String({ description: "why the message could not be sent" })),
});
export type TestResult = Static<typeof TestResult>;

export const MailTest = Type.Object(
  {
    to: Type.Optional(
      Type.String({
        minLength: 3,
        maxLength: 320,
        description: "recipient; by default the caller's address",
        examples: ["ada@example.com"],
      }),
    ),
  },
  closed,
);
export type MailTest = Static<typeof MailTest>;

const UnsentMail = Type.Object({
  id: Type.String(),
  kind: Type.String(),
  address: Type.String(),
  attempts: Type.Integer(),
  error: Nullable(Type.String()),
  created_at: Timestamp,
});

/** The e-mail settings, as operators see them. */
export const MailStatus = Type.Object({
  object: Type.Literal("mail_status"),
  configured: Type.Boolean(),
  server: Nullable(Type.String({ description: "host and port of the mail server" })),
  security: Nullable(Type.Enum(["starttls", "tls", "none"])),
  from: Nullable(Type.String()),
  waiting: Type.Integer({ description: "number of e-mails that are due or will be tried again" }),
  sent_24h: Type.Integer(),
  failed_24h: Type.Integer({ description: "number of e-mails that failed for good in the last 24 hours" }),
  last_sent_at: Nullable(Timestamp),
  unsent: Type.Array(UnsentMail, {
    description: "the latest e-mails that failed for good or will be tried again",
  }),
});
export type MailStatus = Static<typeof MailStatus>;

export const noticeRoutes = {
  "GET /notices": {
    summary: "List your notices; a service key lists the account's",
    permission: "notices:read",
    extension: true,
    fromBrowser: true,
    query: NoticeQuery,
    answers: { 200: NoticeList },
  },
  "POST /notices/{id}/read": {
    summary: "Mark a notice as read",
    permission: "notices:read",
    extension: true,
    fromBrowser: true,
    byClick: true,
    answers: { 200: Notice },
  },
  "POST /notices/read_all": {
    summary: "Mark all notices as read",
    permission: "notices:read",
    extension: true,
    fromBrowser: true,
    byClick: true,
    body: NoticesReadAll,
    answers: { 200: NoticesRead },
  },
  "GET /notices/preferences": {
    summary: "Read which notices you get, and through which channels",
    person: true,
    extension: true,
    query: NoQuery,
    answers: { 200: NoticePreferences },
  },
  "PATCH /notices/preferences": {
    summary: "Choose which notices you get, and through which channels",
    person: true,
    extension: true,
    byClick: true,
    body: NoticePreferencesUpdate,
    answers: { 200: NoticePreferences },
  },
  "GET /notices/hooks": {
    summary: "List the incoming webhooks to which notices are posted",
    permission: "notices:manage",
    extension: true,
    query: NoQuery,
    answers: { 200: NoticeHookList },
  },
  "POST /notices/hooks": {
    summary: "Add an incoming webhook for notices: Slack, Discord, Teams or plain JSON",
    permission: "notices:manage",
    extension: true,
    idempotent: true,
    byClick: true,
    body: NoticeHookCreate,
    answers: { 201: NoticeHook },
  },
  "PATCH /notices/hooks/{id}": {
    summary: "Change an incoming webhook",
    permission: "notices:manage",
    extension: true,
    byClick: true,
    body: NoticeHookUpdate,
    answers: { 200: NoticeHook },
  },
  "DELETE /notices/hooks/{id}": {
    summary: "Delete an incoming webhook",
    permission: "notices:manage",
    extension: true,
    byClick: true,
    answers: { 200: Deleted },
  },
  "POST /notices/hooks/{id}/test": {
    summary: "Post a test message to an incoming webhook",
    permission: "notices:manage",
    extension: true,
    byClick: true,
    answers: { 200: TestResult },
  },
} as const satisfies Routes;

export const operatorHookRoutes = {
  "GET /operator/notice_hooks": {
    summary: "List the incoming webhooks to which notices of the installation are posted",
    operator: true,
    extension: true,
    query: NoQuery,
    answers: { 200: NoticeHookList },
  },
  "POST /operator/notice_hooks": {
    summary: "Add an incoming webhook for notices of the installation",
    operator: true,
    extension: true,
    idempotent: true,
    byClick: true,
    body: OperatorHookCreate,
    answers: { 201: NoticeHook },
  },
  "PATCH /operator/notice_hooks/{id}": {
    summary: "Change an incoming webhook of the operators",
    operator: true,
    extension: true,
    byClick: true,
    body: OperatorHookUpdate,
    answers: { 200: NoticeHook },
  },
  "DELETE /operator/notice_hooks/{id}": {
    summary: "Delete an incoming webhook of the operators",
    operator: true,
    extension: true,
    byClick: true,
    answers: { 200: Deleted },
  },
  "POST /operator/notice_hooks/{id}/test": {
    summary: "Post a test message to an incoming webhook of the operators",
    operator: true,
    extension: true,
    byClick: true,
    answers: { 200: TestResult },
  },
} as const satisfies Routes;

export const operatorMailRoutes = {
  "GET /operator/mail": {
    summary: "Read whether e-mail works",
    operator: true,
    extension: true,
    query: NoQuery,
    answers: { 200: MailStatus },
  },
  "POST /operator/mail/test": {
    summary: "Send a test e-mail, to yourself or another address",
    operator: true,
    extension: true,
    byClick: true,
    body: MailTest,
    answers: { 200: TestResult },
  },
} as const satisfies Routes;
