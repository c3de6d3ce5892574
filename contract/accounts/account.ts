import { type Static, Type } from "typebox";
import { closed } from "../list.ts";
import { metadataLimits } from "../metadata.ts";
import { Nullable, Timestamp } from "../nullable.ts";
import { personFields } from "./account-constants.ts";
import { AccountDeletion } from "./account-deletion.ts";
import { permissions } from "./permissions.ts";
import { Email, Name, NewPassword } from "./person-fields.ts";
import { roles } from "./roles.ts";

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
    setup_token: Type.String({ minLength: 1, maxLength: 200 }),
    name: Type.String({ minLength: 1, maxLength: personFields.name.maxLength }),
    email: Email,
    password: NewPassword,
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

export const Account = Type.Object({
  id: Type.String(),
  object: Type.Literal("account"),
  name: Type.String(),
  created_at: Timestamp,
  sign_in: SignIn,
  usage_keys: UsageKeys,
  share_gated_outputs: ShareGated,
  callback_hosts: CallbackHosts,
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
    }),
  ),
  key: Nullable(Type.Object({ id: Type.String(), name: Type.String(), scopes: Type.Array(Type.String()) })),
});
export type Account = Static<typeof Account>;

/**
 * The answer of `GET /account`: the account, and the features that this installation offers to every account.
 */
export const CurrentAccount = Type.Interface([Account], {
  keeps_outputs: Type.Boolean({ description: "whether outputs can be kept in the library (`KEEP_OUTPUTS`)" }),
  extensions: Type.Boolean({ description: "whether there are extensions (`GATEWAY_EXTENSIONS`)" }),
});
export type CurrentAccount = Static<typeof CurrentAccount>;

/**
 * A request needs at least one field. Turning on `second_factor_required` gives members a week to set a
 * second factor up.
 */
export const AccountUpdate = Type.Object(
  {
    name: Type.Optional(Name),
    sign_in: Type.Optional(Type.Enum(signInRules)),
    usage_keys: Type.Optional(UsageKeys),
    share_gated_outputs: Type.Optional(ShareGated),
    callback_hosts: Type.Optional(CallbackHosts),
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
