import { type Static, Type } from "typebox";
import { closed, ListOf, PageQuery } from "./list.ts";
import {
  type Cause,
  hookCauses,
  hookFields,
  hookTemplates,
  maxHooks,
  noticeCauses,
  operatorHookCauses,
} from "./notice-constants.ts";
import { Nullable, Timestamp } from "./nullable.ts";
import { DeliveryFilter } from "./webhook.ts";

const Raise = Nullable(
  Type.Object(
    { task_id: Type.String(), amount: Nullable(Type.String()), max_runs: Nullable(Type.Integer()) },
    { description: "of `task.refused`: what `POST /tasks/{id}/raise` may be sent, once or more" },
  ),
);

export const Notice = Type.Object({
  id: Type.String(),
  object: Type.Literal("notice"),
  cause: Type.Enum(noticeCauses),
  title: Type.String({ description: "what happened, in one line" }),
  text: Type.String(),
  count: Type.Integer({ description: "how many times, until it was read" }),
  subject_id: Nullable(Type.String({ description: "what it is about, e.g. an endpoint" })),
  path: Type.String({ description: "the page of the console that cures it" }),
  account_id: Nullable(Type.String({ description: "null: about the installation, or about oneself" })),
  created_at: Timestamp,
  last_at: Timestamp,
  read_at: Nullable(Timestamp),
  raise: Raise,
  email_error: Nullable(Type.String({ description: "why no e-mail of it could be sent" })),
});
export type Notice = Static<typeof Notice>;

/** Unread notices of one cause and reason, as one line. */
export const NoticeGroup = Type.Object({
  key: Type.String({ description: "the `group` of `POST /notices/read_all`" }),
  cause: Type.Enum(noticeCauses),
  title: Type.String({ description: "what happened, in one line" }),
  text: Type.String(),
  notices: Type.Integer({ description: "how many it stands for" }),
  path: Type.String({ description: "the page of the console that cures it" }),
  newest_id: Type.String(),
  last_at: Timestamp,
  retry: Nullable(DeliveryFilter),
  raise: Raise,
});
export type NoticeGroup = Static<typeof NoticeGroup>;

export const NoticeQuery = Type.Interface(
  [PageQuery],
  {
    unread: Type.Optional(Type.Boolean({ description: "`true`: only what was not read" })),
    read: Type.Optional(Type.Boolean({ description: "`true`: only what was read" })),
    grouped: Type.Optional(Type.Boolean({ description: "`true`: with `groups`" })),
    cause: Type.Optional(Type.Enum(noticeCauses)),
  },
  closed,
);
export type NoticeQuery = Static<typeof NoticeQuery>;

/** Unread notices are counted up to this. */
export const maxCountedUnread = 100;

/** At most this many of the newest unread notices are grouped. */
export const maxGroupedUnread = 500;

export const NoticeList = Type.Interface([ListOf(Notice)], {
  unread: Type.Integer({ description: `how many were not read, ${maxCountedUnread} at most` }),
  groups: Type.Optional(
    Type.Array(NoticeGroup, {
      description: `the newest ${maxGroupedUnread} unread ones by cause and reason, the newest first`,
    }),
  ),
});
export type NoticeList = Static<typeof NoticeList>;

export const NoticesRead = Type.Object({
  object: Type.Literal("notices_read"),
  read: Type.Integer({ description: "how many were unread" }),
});
export type NoticesRead = Static<typeof NoticesRead>;

/**
 * Marks notices up to the newest that the page has shown, so that unseen ones stay unread; `group`: only
 * those of one group.
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
  is_default: Type.Boolean({ description: "nothing else was chosen" }),
});

export const NoticePreferences = Type.Object({
  object: Type.Literal("notice_preferences"),
  data: Type.Array(Preference, { description: "for every cause that the caller can be notified about" }),
  email: Type.Object({
    address: Type.String(),
    available: Type.Boolean({ description: "whether this installation sends e-mail" }),
  }),
});
export type NoticePreferences = Static<typeof NoticePreferences>;

export const NoticePreferencesUpdate = Type.Object(
  {
    choices: Type.Partial(Type.Record(Type.Enum(noticeCauses), Choice), {
      additionalProperties: false,
      minProperties: 1,
      description: "by cause; what is not named stays as it is",
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
  url_hint: Type.String({ description: "host and last characters; the URL itself is a secret" }),
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
  limit: Type.Integer({ description: `how many there can be (${maxHooks})` }),
});
export type NoticeHookList = Static<typeof NoticeHookList>;

/** The result of a test, which is sent at once. */
export const TestResult = Type.Object({
  object: Type.Literal("notice_test"),
  sent: Type.Boolean(),
  error: Nullable(Type.String({ description: "why not" })),
});
export type TestResult = Static<typeof TestResult>;

export const MailTest = Type.Object(
  {
    to: Type.Optional(
      Type.String({
        minLength: 3,
        maxLength: 320,
        description: "one's own when left out",
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

/** The e-mail settings for operators. */
export const MailStatus = Type.Object({
  object: Type.Literal("mail_status"),
  configured: Type.Boolean(),
  server: Nullable(Type.String({ description: "host and port" })),
  security: Nullable(Type.Enum(["starttls", "tls", "none"])),
  from: Nullable(Type.String()),
  waiting: Type.Integer({ description: "e-mails that are due or will be tried again" }),
  sent_24h: Type.Integer(),
  failed_24h: Type.Integer({ description: "given up in the last 24 hours" }),
  last_sent_at: Nullable(Timestamp),
  unsent: Type.Array(UnsentMail, {
    description: "the last that were given up, or were tried without success",
  }),
});
export type MailStatus = Static<typeof MailStatus>;
