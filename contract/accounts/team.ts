import { type Static, Type } from "typebox";
import { languageCodes } from "#messages/languages.ts";
import { closed, Deleted, ListOf, NoQuery, Nullable, PageQuery, Timestamp } from "../list.ts";
import { BudgetInputs, BudgetState } from "../money/budgets.ts";
import type { Routes } from "../routes/route.ts";
import { Session, SessionList, SessionsEnded } from "./account.ts";
import { passwordMaxLength, passwordMinLength, personFields, roles } from "./constants.ts";
import { PasswordReset, PasswordResetReplayed } from "./credentials.ts";
import { MonthlyBudget, Quantities } from "./keys.ts";
import { Email, LinkLookup, LinkToken, NewPersonsLanguage, Person } from "./people.ts";
import { TokenRateInputs, TokenRates } from "./token-rates.ts";

export const memberSignInWays = ["password", "passkey", "provider"] as const;
export type MemberSignInWay = (typeof memberSignInWays)[number];

export const Member = Type.Object({
  id: Type.String({ description: "the user's id" }),
  object: Type.Literal("member"),
  user_id: Type.String(),
  name: Type.String(),
  email: Nullable(Type.String({ description: "null when the caller may not manage members" })),
  role: Type.Enum(roles),
  ...TokenRates,
  monthly_budget: Nullable(MonthlyBudget),
  used_this_month: Quantities,
  budgets: Type.Array(BudgetState, {
    description: "budgets in money, each with the amount spent in its current period",
  }),
  /** Service keys that run gated operations with this member's attestations. */
  answers_for: Type.Array(Person, { description: "the service keys that the member is responsible for" }),
  /** Null for callers who may not manage members. */
  sign_in: Nullable(
    Type.Object({
      ways: Type.Array(Type.Enum(memberSignInWays), { description: "how they can sign in" }),
      has_second_factor: Type.Boolean(),
    }),
  ),
  has_other_accounts: Nullable(
    Type.Boolean({
      description:
        "true when the person also belongs to other accounts; then nobody in this account may end their sessions or reset their password. Null when `sign_in` is null",
    }),
  ),
  last_seen_at: Nullable(
    Type.String({ ...Timestamp, description: "also null for a person who belongs to other accounts" }),
  ),
  since: Timestamp,
});
export type Member = Static<typeof Member>;

export const MemberList = Type.Object({ object: Type.Literal("list"), data: Type.Array(Member) });
export type MemberList = Static<typeof MemberList>;

/**
 * A request needs at least one field. The limits cover the member's sessions and personal keys together.
 * Null or an empty list removes them.
 */
export const MemberUpdate = Type.Object(
  {
    role: Type.Optional(Type.Enum(roles)),
    ...TokenRateInputs,
    monthly_budget: Type.Optional(Nullable(MonthlyBudget)),
    budgets: Type.Optional(BudgetInputs),
  },
  { ...closed, minProperties: 1 },
);
export type MemberUpdate = Static<typeof MemberUpdate>;

const invitationStates = ["open", "accepted", "expired", "revoked", "replaced"] as const;
export type InvitationState = (typeof invitationStates)[number];

export const Invitation = Type.Object({
  id: Type.String(),
  object: Type.Literal("invitation"),
  email: Type.String(),
  role: Type.Enum(roles),
  state: Type.Enum(invitationStates),
  /** Null: invited from the command line, or by a person who was removed since. */
  invited_by: Nullable(Person),
  created_at: Timestamp,
  expires_at: Timestamp,
  accepted_at: Nullable(Timestamp),
});
export type Invitation = Static<typeof Invitation>;

export const InvitationList = ListOf(Invitation);

const InvitationReplayed = Type.Interface([Invitation], {
  mailed: Type.Boolean({ description: "true when the link is also sent to the address by e-mail" }),
});

/** `url` and `token` are returned only when the invitation is created or renewed. */
export const InvitationWithLink = Type.Interface([InvitationReplayed], {
  url: Type.String(),
  token: Type.String(),
});
export type InvitationWithLink = Static<typeof InvitationWithLink>;

export const InvitationCreate = Type.Object(
  {
    email: Email,
    role: Type.Enum(roles),
    language: Type.Optional(
      Type.Enum(languageCodes, { description: "language of its e-mail; by default that of the inviter" }),
    ),
  },
  closed,
);
export type InvitationCreate = Static<typeof InvitationCreate>;

/** The facts that the link shows before its invitation is accepted. */
export const InvitationPreview = Type.Object({
  object: Type.Literal("invitation_preview"),
  account_name: Type.String(),
  email: Type.String(),
  role: Type.Enum(roles),
  state: Type.Enum(invitationStates),
  invited_by: Nullable(Type.String({ description: "the name" })),
  expires_at: Timestamp,
});
export type InvitationPreview = Static<typeof InvitationPreview>;

/** A new person sends a name and a password. An existing user sends only their password, or their session. */
export const InvitationAccept = Type.Object(
  {
    token: LinkToken,
    name: Type.Optional(Type.String({ minLength: 1, maxLength: personFields.name.maxLength })),
    password: Type.Optional(
      Type.String({ maxLength: passwordMaxLength, description: `at least ${passwordMinLength} characters` }),
    ),
    language: Type.Optional(NewPersonsLanguage),
  },
  closed,
);
export type InvitationAccept = Static<typeof InvitationAccept>;

export const memberRoutes = {
  "GET /account/members": {
    summary: "List the members of the account",
    permission: "members:read",
    extension: true,
    fromBrowser: true,
    query: NoQuery,
    answers: { 200: MemberList },
  },
  "PATCH /account/members/{user_id}": {
    summary: "Change a member's role, tokens per minute or budgets",
    permission: "members:manage",
    extension: true,
    byClick: true,
    body: MemberUpdate,
    answers: { 200: Member },
  },
  "DELETE /account/members/{user_id}": {
    summary: "Remove a member, or leave",
    permission: "members:manage",
    orOneself: "user_id",
    extension: true,
    byClick: true,
    answers: { 200: Deleted },
  },
  "POST /account/members/{user_id}/reset": {
    summary: "Create a link with which a member sets a new password",
    permission: "members:manage",
    extension: true,
    idempotent: true,
    answers: { 201: PasswordReset },
    replayed: PasswordResetReplayed,
  },
  "GET /account/members/{user_id}/sessions": {
    summary: "List the sessions of a member",
    permission: "members:manage",
    orOneself: "user_id",
    extension: true,
    query: NoQuery,
    answers: { 200: SessionList },
  },
  "DELETE /account/members/{user_id}/sessions": {
    summary: "End the sessions of a member",
    permission: "members:manage",
    orOneself: "user_id",
    extension: true,
    byClick: true,
    answers: { 200: SessionsEnded },
  },
} as const satisfies Routes;

export const invitationRoutes = {
  "POST /account/invitations": {
    summary: "Invite somebody; only this answer contains the link",
    permission: "members:manage",
    extension: true,
    idempotent: true,
    body: InvitationCreate,
    answers: { 201: InvitationWithLink },
    replayed: InvitationReplayed,
  },
  "GET /account/invitations": {
    summary: "List invitations",
    permission: "members:manage",
    extension: true,
    fromBrowser: true,
    query: PageQuery,
    answers: { 200: InvitationList },
  },
  "DELETE /account/invitations/{id}": {
    summary: "Withdraw an invitation",
    permission: "members:manage",
    extension: true,
    byClick: true,
    answers: { 200: Deleted },
  },
  "POST /account/invitations/{id}/renew": {
    summary: "Renew an invitation with a new link for another week",
    permission: "members:manage",
    extension: true,
    idempotent: true,
    answers: { 200: InvitationWithLink },
    replayed: InvitationReplayed,
  },
  "POST /account/invitations/lookup": {
    summary: "Read an invitation by its link",
    public: true,
    extension: true,
    body: LinkLookup,
    answers: { 200: InvitationPreview },
  },
  "POST /account/invitations/accept": {
    summary: "Accept an invitation",
    public: true,
    extension: true,
    body: InvitationAccept,
    answers: { 201: Session },
  },
} as const satisfies Routes;
