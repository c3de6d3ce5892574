import { type Static, Type } from "typebox";
import { languageCodes } from "#messages/languages.ts";
import { closed, Nullable, Timestamp } from "../list.ts";
import type { Routes } from "../routes/route.ts";
import { Email, LinkLookup, LinkToken, NewPassword, Password } from "./people.ts";
import { Proof } from "./second-factor.ts";

export const PasswordChange = Type.Object({ current: Password, new: NewPassword }, closed);
export type PasswordChange = Static<typeof PasswordChange>;

export const PasswordChanged = Type.Object({
  object: Type.Literal("password"),
  sessions_ended: Type.Integer({ description: "number of the person's other sessions that were ended" }),
});
export type PasswordChanged = Static<typeof PasswordChanged>;

/** A one-time link with which a member sets a new password. Shown only once. */
export const PasswordResetReplayed = Type.Object({
  id: Type.String(),
  object: Type.Literal("password_reset"),
  expires_at: Timestamp,
  mailed: Type.Boolean({ description: "true when the link was also sent to the member by e-mail" }),
});

export const PasswordReset = Type.Interface([PasswordResetReplayed], {
  url: Type.String(),
  token: Type.String(),
});
export type PasswordReset = Static<typeof PasswordReset>;

/** The request of a person who forgot their password. */
export const PasswordForgotten = Type.Object(
  {
    email: Email,
    language: Type.Optional(
      Type.Enum(languageCodes, { description: "language of the e-mail for a person who has chosen none" }),
    ),
  },
  closed,
);
export type PasswordForgotten = Static<typeof PasswordForgotten>;

/**
 * The answer is the same whether or not an account has the address, so that nobody can find out who has one.
 */
export const PasswordForgottenTaken = Type.Object({ object: Type.Literal("password_forgotten") });
export type PasswordForgottenTaken = Static<typeof PasswordForgottenTaken>;

export const PasswordResetAccept = Type.Object({ token: LinkToken, password: NewPassword }, closed);
export type PasswordResetAccept = Static<typeof PasswordResetAccept>;

export const resetStates = ["open", "used", "expired"] as const;
export type ResetState = (typeof resetStates)[number];

export const PasswordResetPreview = Type.Object({
  object: Type.Literal("password_reset_preview"),
  email: Type.String(),
  name: Type.String(),
  state: Type.Enum(resetStates),
  expires_at: Timestamp,
});
export type PasswordResetPreview = Static<typeof PasswordResetPreview>;

export const PasswordResetDone = Type.Object({
  object: Type.Literal("password"),
  email: Type.String(),
  sessions_ended: Type.Integer(),
});
export type PasswordResetDone = Static<typeof PasswordResetDone>;

export const passwordRoutes = {
  "POST /account/password": {
    summary: "Change your password",
    person: true,
    anyAccount: true,
    extension: true,
    neededToAttest: true,
    byClick: true,
    body: PasswordChange,
    answers: { 200: PasswordChanged },
  },
  "POST /account/password/forgotten": {
    summary: "Request an e-mail with a link to set a new password",
    public: true,
    extension: true,
    neededToAttest: true,
    body: PasswordForgotten,
    answers: { 202: PasswordForgottenTaken },
  },
  "POST /account/password/reset/lookup": {
    summary: "Read which person's password a link resets",
    public: true,
    extension: true,
    neededToAttest: true,
    body: LinkLookup,
    answers: { 200: PasswordResetPreview },
  },
  "POST /account/password/reset": {
    summary: "Set a new password with a link",
    public: true,
    extension: true,
    neededToAttest: true,
    body: PasswordResetAccept,
    answers: { 200: PasswordResetDone },
  },
} as const satisfies Routes;

/** Needs the password or a code, as every change to the way a person signs in does. */
export const EmailChange = Type.Object({ email: Email, proof: Type.Optional(Proof) }, closed);
export type EmailChange = Static<typeof EmailChange>;

export const EmailChangeStarted = Type.Object({
  object: Type.Literal("email_change"),
  email: Type.String({
    description: "the new address. A link is sent there; the address changes when it is opened",
  }),
  expires_at: Timestamp,
});
export type EmailChangeStarted = Static<typeof EmailChangeStarted>;

const emailChangeStates = ["open", "used", "expired"] as const;

export const EmailChangePreview = Type.Object({
  object: Type.Literal("email_change_preview"),
  email: Type.String(),
  from: Nullable(Type.String({ description: "the address before the change" })),
  state: Type.Enum(emailChangeStates),
  expires_at: Timestamp,
});
export type EmailChangePreview = Static<typeof EmailChangePreview>;

export const EmailChanged = Type.Object({ object: Type.Literal("email"), email: Type.String() });
export type EmailChanged = Static<typeof EmailChanged>;

export const emailRoutes = {
  "POST /account/email": {
    summary: "Start changing your e-mail address; a link is sent to the new one",
    person: true,
    anyAccount: true,
    extension: true,
    byClick: true,
    body: EmailChange,
    answers: { 202: EmailChangeStarted },
  },
  "POST /account/email/lookup": {
    summary: "Read which address a link confirms",
    public: true,
    extension: true,
    body: LinkLookup,
    answers: { 200: EmailChangePreview },
  },
  "POST /account/email/confirm": {
    summary: "Confirm a new e-mail address with the link that was sent there",
    public: true,
    extension: true,
    body: LinkLookup,
    answers: { 200: EmailChanged },
  },
} as const satisfies Routes;
