import { type Static, Type } from "typebox";
import { closed, ListOf } from "../list.ts";
import { Nullable, Timestamp } from "../nullable.ts";
import { passwordMaxLength, passwordMinLength, personFields } from "./account-constants.ts";
import { Person } from "./people.ts";
import { Email, LinkToken } from "./person-fields.ts";
import { roles } from "./roles.ts";

export const invitationStates = ["open", "accepted", "expired", "revoked", "replaced"] as const;
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

/** `url` and `token` are returned only when the invitation is created or renewed. */
export const InvitationWithLink = Type.Interface([Invitation], {
  url: Type.String(),
  token: Type.String(),
  mailed: Type.Boolean({ description: "true when the link is also sent to the address by e-mail" }),
});
export type InvitationWithLink = Static<typeof InvitationWithLink>;

export const InvitationCreate = Type.Object({ email: Email, role: Type.Enum(roles) }, closed);
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
  },
  closed,
);
export type InvitationAccept = Static<typeof InvitationAccept>;
