import { type Static, Type } from "typebox";
import { languageCodes } from "#messages/languages.ts";
import { AuditExportQuery, AuditList, AuditQuery } from "../audit.ts";
import { closed, Deleted, NoQuery, Nullable, Timestamp } from "../list.ts";
import { metadataLimits } from "../metadata.ts";
import { bytesOf, eventStream, type Routes } from "../routes/route.ts";
import { AccountDeletion } from "./account-deletion.ts";
import { contentsDays, contentsRules, personFields, retentionMinutes, roles } from "./constants.ts";
import { Email, LanguageCode, LinkToken, Name, NewPassword, NewPersonsLanguage } from "./people.ts";
import { permissions } from "./permissions.ts";

export const SetupState = Type.Object({
  object: Type.Literal("setup"),
  needed: Type.Boolean(),
  email: Type.Boolean({ description: "whether e-mail is sent, so that a forgotten password can be reset" }),
});
export type SetupState = Static<typeof SetupState>;

/**
 * Only before the first account exists. `setup_token` is part of the link that the gateway prints to the
 * terminal.
 */
export const SetupCreate = Type.Object(
  {
    setup_token: LinkToken,
    name: Type.String({ minLength: 1, maxLength: personFields.name.maxLength }),
    email: Email,
    password: NewPassword,
    language: Type.Optional(NewPersonsLanguage),
  },
  closed,
);
export type SetupCreate = Static<typeof SetupCreate>;

/** `provider`: only sessions that were opened through the identity provider are accepted. */
export const signInRules = ["any", "provider"] as const;
export type SignInRule = (typeof signInRules)[number];

const SignIn = Type.Enum(signInRules, { description: "how members must have signed in to use the account" });

const UsageKeys = Type.Array(Type.String({ minLength: 1, maxLength: metadataLimits.keyLength }), {
  maxItems: 2,
  uniqueItems: true,
  description: "metadata keys that usage can be grouped by",
});

const ShareGated = Type.Boolean({
  description:
    "whether outputs of gated models may be shared by link, with signed-in people who pass the same gates",
});

const CallbackHosts = Nullable(
  Type.Array(Type.String({ minLength: 1, maxLength: 253 }), {
    maxItems: 100,
    description:
      "the hosts that requests may name as their receiver (`callback_url`); they also get the addresses of gated files. Null: any host; empty: callbacks are switched off",
  }),
);

const contentsFields = {
  keep: Type.Enum(contentsRules, {
    description:
      "`all`: of every call but those of keys that are left out; `chosen_keys`: only of keys with `contents: on`. `off` makes everything kept unreadable at once",
  }),
  days: Type.Integer({
    ...contentsDays,
    description: "how long each is kept, at most the operator's `CONTENTS_MAX_DAYS`",
  }),
  embeddings: Type.Boolean({ description: "whether the texts of embeddings and rankings are kept too" }),
};

/** What is kept of the contents of calls: what was sent, and what came back. */
export const ContentsSwitch = Type.Object(contentsFields);
export type ContentsSwitch = Static<typeof ContentsSwitch>;

const ContentsUpdate = Type.Partial(Type.Object(contentsFields), { ...closed, minProperties: 1 });

const RetentionMinutes = Nullable(
  Type.Integer({
    ...retentionMinutes,
    description:
      "how long after a run its inputs, outputs and prompts are removed, uploads after they were received, and stored responses; null: as long as the installation keeps them. Nothing can be kept longer then: presets, the library, conversations and contents answer 403 `shorter_retention`",
  }),
);

export const Account = Type.Object({
  id: Type.String(),
  object: Type.Literal("account"),
  name: Type.String(),
  created_at: Timestamp,
  sign_in: SignIn,
  usage_keys: UsageKeys,
  share_gated_outputs: ShareGated,
  callback_hosts: CallbackHosts,
  contents: ContentsSwitch,
  retention_minutes: RetentionMinutes,
  role: Nullable(
    Type.Enum(roles, {
      description:
        "role of the signed-in member, or of the member whose personal key this is; null for a service key",
    }),
  ),
  permissions: Type.Array(Type.Enum(permissions), { description: "what the caller may do" }),
  /** The time from which every member needs a second factor. Null: it is optional. */
  second_factor_from: Nullable(Timestamp),
  /** Until the deletion starts, the account can be read, but no new run can start. */
  deletion: Nullable(AccountDeletion),
  /** Null when the caller is an account key. */
  user: Nullable(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      email: Type.String(),
      has_second_factor: Type.Boolean(),
      needs_second_factor: Type.Boolean({
        description:
          "true when the account requires a second factor, now or from a set day, and this person has none, nor did their identity provider ask for one",
      }),
      operator: Type.Boolean({ description: "whether they run this installation" }),
      has_other_accounts: Type.Boolean({ description: "`GET /accounts` lists them" }),
      language: Nullable(LanguageCode),
    }),
  ),
  key: Nullable(Type.Object({ id: Type.String(), name: Type.String(), scopes: Type.Array(Type.String()) })),
});
export type Account = Static<typeof Account>;

/**
 * The answer of `GET /account`: the account, and the features that this installation offers to every account.
 */
export const CurrentAccount = Type.Interface([Account], {
  quiet: Type.Boolean({ description: "whether nothing is sent to other machines (`GATEHOUSE_QUIET`)" }),
  keeps_outputs: Type.Boolean({ description: "whether outputs can be kept in the library (`KEEP_OUTPUTS`)" }),
  extensions: Type.Boolean({ description: "whether there are extensions (`GATEWAY_EXTENSIONS`)" }),
  installation_retention_minutes: Type.Number({
    description: "how long the installation keeps inputs and outputs (`RETENTION_MS`)",
  }),
  contents_max_days: Nullable(
    Type.Integer({ description: "the longest `contents.days`; null: nothing can be kept (`KEEP_CONTENTS`)" }),
  ),
});
export type CurrentAccount = Static<typeof CurrentAccount>;

/**
 * A request needs at least one field. A shorter `retention_minutes` also applies to what is stored: it is removed when
 * that time has passed since the change, at the latest. Turning on `second_factor_required` gives members a week to set a
 * second factor up.
 */
export const AccountUpdate = Type.Object(
  {
    name: Type.Optional(Name),
    sign_in: Type.Optional(Type.Enum(signInRules)),
    usage_keys: Type.Optional(UsageKeys),
    share_gated_outputs: Type.Optional(ShareGated),
    callback_hosts: Type.Optional(CallbackHosts),
    contents: Type.Optional(ContentsUpdate),
    retention_minutes: Type.Optional(RetentionMinutes),
    remove_kept: Type.Optional(
      Type.Boolean({
        description:
          "with `retention_minutes`: removes the library, presets, conversations and contents that the account keeps; without it a change that must remove some is 409 `retention_removes_kept`",
      }),
    ),
    second_factor_required: Type.Optional(Type.Boolean()),
  },
  { ...closed, minProperties: 1 },
);
export type AccountUpdate = Static<typeof AccountUpdate>;

/** One of the accounts that the signed-in person belongs to. */
export const AccountMembership = Type.Object({
  id: Type.String(),
  object: Type.Literal("account"),
  name: Type.String(),
  role: Type.Enum(roles),
  sign_in: SignIn,
  since: Timestamp,
});
export type AccountMembership = Static<typeof AccountMembership>;

export const AccountMemberships = Type.Object({
  object: Type.Literal("list"),
  data: Type.Array(AccountMembership),
});

/** How long rows are kept after their inputs and outputs were removed. Null: for ever. */
export const History = Type.Object({
  object: Type.Literal("history"),
  days: Nullable(Type.Integer()),
  audit_days: Nullable(Type.Integer()),
  size_bytes: Type.Integer({ description: "size of the history of all accounts in the database" }),
});
export type History = Static<typeof History>;

/** The signed-in person, independent of the account. */
export const Profile = Type.Object({
  id: Type.String(),
  object: Type.Literal("user"),
  name: Type.String(),
  email: Type.String(),
  email_verified: Type.Boolean({
    description:
      "true when an identity provider, or a link sent to the address, proved that it belongs to the person",
  }),
  has_password: Type.Boolean(),
  operator: Type.Boolean({ description: "whether they run this installation" }),
  language: Nullable(
    Type.Enum(languageCodes, {
      description:
        "language of the console and of e-mails; null: the console follows the browser, and e-mails are in English",
    }),
  ),
  created_at: Timestamp,
});
export type Profile = Static<typeof Profile>;

/** A request needs at least one field. */
export const ProfileUpdate = Type.Object(
  { name: Type.Optional(Name), language: Type.Optional(Nullable(LanguageCode)) },
  { ...closed, minProperties: 1 },
);
export type ProfileUpdate = Static<typeof ProfileUpdate>;

/** How the person signed in to open a session. */
const sessionMethods = ["setup", "password", "passkey", "invitation", "key", "oidc"] as const;
export type SessionMethod = (typeof sessionMethods)[number];

export const SessionCreate = Type.Object(
  {
    email: Type.String({ maxLength: personFields.email.maxLength }),
    password: Type.String({ maxLength: 200 }),
  },
  closed,
);
export type SessionCreate = Static<typeof SessionCreate>;

/** `token` is the bearer token of a signed-in user. Only this answer contains it. */
export const Session = Type.Object({
  id: Type.String(),
  object: Type.Literal("session"),
  token: Type.String(),
  expires_at: Timestamp,
  /**
   * For a person with several accounts: the account that they just joined, otherwise the first one that they
   * joined.
   */
  account: Account,
  accounts: Type.Array(AccountMembership, {
    description: "accounts of the person; empty for an account key",
  }),
});
export type Session = Static<typeof Session>;

/** A session, as shown to its owner and to managers of members. */
export const SessionRow = Type.Object({
  id: Type.String(),
  object: Type.Literal("session"),
  current: Type.Boolean({ description: "true for the session that sends this request" }),
  method: Nullable(Type.Enum(sessionMethods, { description: "how the session was opened" })),
  user_agent: Nullable(Type.String()),
  ip: Nullable(Type.String({ description: "where the session was last used, or else opened" })),
  created_at: Timestamp,
  last_seen_at: Nullable(Timestamp),
  expires_at: Timestamp,
});
export type SessionRow = Static<typeof SessionRow>;

export const SessionList = Type.Object({ object: Type.Literal("list"), data: Type.Array(SessionRow) });
export type SessionList = Static<typeof SessionList>;

export const SessionsEnded = Type.Object({
  object: Type.Literal("sessions"),
  ended: Type.Integer(),
});
export type SessionsEnded = Static<typeof SessionsEnded>;

export const sessionRoutes = {
  "POST /account/sessions": {
    summary: "Sign in",
    public: true,
    extension: true,
    neededToAttest: true,
    body: SessionCreate,
    answers: { 201: Session },
  },
  "POST /account/sessions/key": {
    summary: "Open a session with an account key",
    anyAccount: true,
    extension: true,
    neededToAttest: true,
    answers: { 201: Session },
  },
  "DELETE /account/sessions/current": {
    summary: "Sign out",
    anyAccount: true,
    extension: true,
    neededToAttest: true,
    answers: { 200: Deleted },
  },
  "GET /account/sessions/current/events": {
    summary: "Wait for the end of the current session",
    anyAccount: true,
    extension: true,
    neededToAttest: true,
    stream: true,
    fromBrowser: true,
    query: NoQuery,
    otherAnswers: { 200: eventStream("One event, `ended`, when the session ends; none before") },
  },
  "GET /account/sessions": {
    summary: "List your sessions",
    person: true,
    anyAccount: true,
    extension: true,
    neededToAttest: true,
    query: NoQuery,
    answers: { 200: SessionList },
  },
  "DELETE /account/sessions": {
    summary: "End all your other sessions",
    person: true,
    anyAccount: true,
    extension: true,
    neededToAttest: true,
    byClick: true,
    query: NoQuery,
    answers: { 200: SessionsEnded },
  },
  "DELETE /account/sessions/{id}": {
    summary: "End one of your sessions, or a member's",
    person: true,
    anyAccount: true,
    extension: true,
    neededToAttest: true,
    byClick: true,
    answers: { 200: Deleted },
  },
} as const satisfies Routes;

export const accountRoutes = {
  "GET /account/setup": {
    summary: "Whether the first account must still be created",
    public: true,
    extension: true,
    neededToAttest: true,
    answers: { 200: SetupState },
  },
  "POST /account/setup": {
    summary: "Create the first account",
    public: true,
    extension: true,
    neededToAttest: true,
    body: SetupCreate,
    answers: { 201: Session },
  },
  "GET /account": {
    summary: "Read the account",
    extension: true,
    neededToAttest: true,
    fromBrowser: true,
    answers: { 200: CurrentAccount },
  },
  "PATCH /account": {
    summary: "Rename the account, or require a second factor of its members",
    permission: "account:manage",
    extension: true,
    byClick: true,
    body: AccountUpdate,
    answers: { 200: Account },
  },
  "GET /account/profile": {
    summary: "Read the signed-in person",
    person: true,
    anyAccount: true,
    extension: true,
    neededToAttest: true,
    answers: { 200: Profile },
  },
  "PATCH /account/profile": {
    summary: "Change the name or the language of the signed-in person",
    person: true,
    anyAccount: true,
    extension: true,
    byClick: true,
    body: ProfileUpdate,
    answers: { 200: Profile },
  },
  "GET /accounts": {
    summary: "List the accounts of the signed-in person",
    person: true,
    anyAccount: true,
    extension: true,
    neededToAttest: true,
    query: NoQuery,
    answers: { 200: AccountMemberships },
  },
  "GET /account/history": {
    summary: "Read how long history is kept",
    permission: "audit:read",
    extension: true,
    answers: { 200: History },
  },
  "GET /audit_logs": {
    summary: "Read the audit log",
    permission: "audit:read",
    extension: true,
    fromBrowser: true,
    query: AuditQuery,
    answers: { 200: AuditList },
  },
  "GET /audit_logs/export": {
    summary: "Download the audit log as a table",
    permission: "audit:read",
    extension: true,
    fromBrowser: true,
    query: AuditExportQuery,
    otherAnswers: { 200: bytesOf("text/csv", "A table with a line for each change, newest first") },
  },
} as const satisfies Routes;
