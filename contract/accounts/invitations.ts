import { type Static, Type } from "typebox";
import { closed, ListOf } from "../list.ts";
import { Nullable, Timestamp } from "../nullable.ts";
import { passwordMaxLength, passwordMinLength, personFields } from "./account-constants.ts";
import { Person } from "./people.ts";
import { Email } from "./person-fields.ts";
import { roles } from "./roles.ts";

export const invitationStates = ["open", "accepted", "expired", "revoked", "replaced"] as const;
export type InvitationState = (typeof invitationStates)[number];

export const Invitation = Type.Object({
  id: Type.String(),
  object: Type.Literal("invitation"),
  email: Type.String(),
  role: Type.Enum(roles),
  state: Type.Enum(invitationStates),
  /** Null: the command line, or a person who was removed. */
  invited_by: Nullable(Person),
  created_at: Timestamp,
  expires_at: Timestamp,
  accepted_at: Nullable(Timestamp),
});
export type Invitation = Static<typeof Invitation>;
export const InvitationList = ListOf(Invitation);

/** `url` and `token` are shown only in the answer that creates them. */
export const InvitationWithLink = Type.Interface([Invitation], {
  url: Type.String(),
  token: Type.String(),
  mailed: Type.Boolean({ description: "the link goes to the address by e-mail, too" }),
});
export type InvitationWithLink = Static<typeof InvitationWithLink>;

export const InvitationCreate = Type.Object({ email: Email, role: Type.Enum(roles) }, closed);
export type InvitationCreate = Static<typeof InvitationCreate>;

export const LinkToken = Type.String({ minLength: 1, maxLength: 200 });
/** The token is sent in a body because URLs are logged. */
export const LinkLookup = Type.Object({ token: LinkToken }, closed);

/** What a link reveals before it is accepted. */
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

/** A new person gives both; an existing user gives only their password, or sends their session. */
export const InvitationAccept = Type.Object(
  {
    token: LinkToken,
    name: Type.Optional(Type.String({ minLength: 1, maxLength: personFields.name.maxLength })),
    password: Type.Optional(
      Type.String({ maxLength: passwordMaxLength, description: `${passwordMinLength} or more` }),
    ),
  },
  closed,
);
export type InvitationAccept = Static<typeof InvitationAccept>;
