import {
  EmailChange,
  EmailChanged,
  EmailChangePreview,
  EmailChangeStarted,
} from "../accounts/email-change.ts";
import { LinkLookup } from "../accounts/invitations.ts";
import {
  IdentityList,
  IdentityProvider,
  LastClaimsReport,
  LogoutDone,
  LogoutRequest,
  ProviderAnswer,
  ProviderFinished,
  ProviderStart,
  ProviderStarted,
} from "../accounts/oidc.ts";
import {
  PasswordChange,
  PasswordChanged,
  PasswordForgotten,
  PasswordForgottenTaken,
  PasswordResetAccept,
  PasswordResetDone,
  PasswordResetPreview,
} from "../accounts/passwords.ts";
import {
  Passkey,
  PasskeyCreate,
  PasskeyOptions,
  PasskeySignIn,
  PasskeySignInStart,
  PasskeyUpdate,
  RecoveryCodes,
  SecondFactor,
  SecondFactorAdded,
  SecondFactorSignIn,
  TotpConfirm,
  TotpSetup,
  WithProof,
} from "../accounts/second-factor.ts";
import { Session, SessionCreate, SessionList, SessionsEnded } from "../accounts/sessions.ts";
import { Deleted, NoQuery } from "../list.ts";
import { eventStream } from "./answers.ts";
import type { Routes } from "./route.ts";

export const sessionRoutes = {
  "POST /account/sessions": {
    summary: "Sign in",
    public: true,
    extension: true,
    body: SessionCreate,
    answers: { 201: Session },
  },
  "POST /account/sessions/key": {
    summary: "Open a session of an account key",
    anyAccount: true,
    extension: true,
    answers: { 201: Session },
  },
  "DELETE /account/sessions/current": {
    summary: "Sign out",
    anyAccount: true,
    extension: true,
    answers: { 200: Deleted },
  },
  "GET /account/sessions/current/events": {
    summary: "Hear when the session that asks has ended",
    anyAccount: true,
    extension: true,
    stream: true,
    fromBrowser: true,
    query: NoQuery,
    otherAnswers: { 200: eventStream("Silent until the session ends; then one event, `ended`") },
  },
  "GET /account/sessions": {
    summary: "List one's own sessions",
    person: true,
    anyAccount: true,
    extension: true,
    query: NoQuery,
    answers: { 200: SessionList },
  },
  "DELETE /account/sessions": {
    summary: "End all of one's other sessions",
    person: true,
    anyAccount: true,
    extension: true,
    query: NoQuery,
    answers: { 200: SessionsEnded },
  },
  "DELETE /account/sessions/{id}": {
    summary: "End a session of one's own or of a member",
    person: true,
    anyAccount: true,
    extension: true,
    answers: { 200: Deleted },
  },
} as const satisfies Routes;

export const passwordRoutes = {
  "POST /account/password": {
    summary: "Change one's own password",
    person: true,
    anyAccount: true,
    extension: true,
    body: PasswordChange,
    answers: { 200: PasswordChanged },
  },
  "POST /account/password/forgotten": {
    summary: "Have a link to set a new password sent to one's e-mail address",
    public: true,
    extension: true,
    body: PasswordForgotten,
    answers: { 202: PasswordForgottenTaken },
  },
  "POST /account/password/reset/lookup": {
    summary: "Read whose password a link resets",
    public: true,
    extension: true,
    body: LinkLookup,
    answers: { 200: PasswordResetPreview },
  },
  "POST /account/password/reset": {
    summary: "Set a new password with a link",
    public: true,
    extension: true,
    body: PasswordResetAccept,
    answers: { 200: PasswordResetDone },
  },
} as const satisfies Routes;

export const emailRoutes = {
  "POST /account/email": {
    summary: "Begin to change one's own e-mail address; a link goes to the new one",
    person: true,
    anyAccount: true,
    extension: true,
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

export const secondFactorRoutes = {
  "GET /account/second_factor": {
    summary: "Read one's own passkeys, authenticator app and recovery codes",
    person: true,
    anyAccount: true,
    extension: true,
    query: NoQuery,
    answers: { 200: SecondFactor },
  },
  "POST /account/second_factor/totp": {
    summary: "Begin to set up an authenticator app; the secret is in this answer only",
    person: true,
    anyAccount: true,
    extension: true,
    body: WithProof,
    answers: { 201: TotpSetup },
  },
  "POST /account/second_factor/totp/confirm": {
    summary: "Set up the authenticator app with its first code",
    person: true,
    anyAccount: true,
    extension: true,
    body: TotpConfirm,
    answers: { 201: SecondFactorAdded },
  },
  "POST /account/second_factor/totp/remove": {
    summary: "Remove the authenticator app",
    person: true,
    anyAccount: true,
    extension: true,
    body: WithProof,
    answers: { 200: Deleted },
  },
  "POST /account/second_factor/recovery_codes": {
    summary: "Replace the recovery codes; they are in this answer only",
    person: true,
    anyAccount: true,
    extension: true,
    body: WithProof,
    answers: { 201: RecoveryCodes },
  },
  "POST /account/passkeys/options": {
    summary: "Begin to add a passkey",
    person: true,
    anyAccount: true,
    extension: true,
    body: WithProof,
    answers: { 201: PasskeyOptions },
  },
  "POST /account/passkeys": {
    summary: "Add a passkey",
    person: true,
    anyAccount: true,
    extension: true,
    body: PasskeyCreate,
    answers: { 201: SecondFactorAdded },
  },
  "PATCH /account/passkeys/{id}": {
    summary: "Rename a passkey",
    person: true,
    anyAccount: true,
    extension: true,
    body: PasskeyUpdate,
    answers: { 200: Passkey },
  },
  "POST /account/passkeys/{id}/remove": {
    summary: "Remove a passkey",
    person: true,
    anyAccount: true,
    extension: true,
    body: WithProof,
    answers: { 200: Deleted },
  },
  "POST /account/sessions/passkey/options": {
    summary: "Begin a sign-in with a passkey",
    public: true,
    anyAccount: true,
    extension: true,
    body: PasskeySignInStart,
    answers: { 201: PasskeyOptions },
  },
  "POST /account/sessions/passkey": {
    summary: "Sign in with a passkey alone",
    public: true,
    anyAccount: true,
    extension: true,
    body: PasskeySignIn,
    answers: { 201: Session },
  },
  "POST /account/sessions/second_factor": {
    summary: "Finish a sign-in with a code, a recovery code or a passkey",
    public: true,
    anyAccount: true,
    extension: true,
    body: SecondFactorSignIn,
    answers: { 201: Session },
  },
} as const satisfies Routes;

export const oidcRoutes = {
  "GET /account/oidc": {
    summary: "Read whether people can sign in with an identity provider",
    public: true,
    anyAccount: true,
    extension: true,
    query: NoQuery,
    answers: { 200: IdentityProvider },
  },
  "POST /account/oidc/start": {
    summary: "Begin a sign-in with the identity provider",
    public: true,
    anyAccount: true,
    extension: true,
    body: ProviderStart,
    answers: { 200: ProviderStarted },
  },
  "POST /account/oidc/callback": {
    summary: "Finish a sign-in with the identity provider",
    public: true,
    anyAccount: true,
    extension: true,
    body: ProviderAnswer,
    answers: { 200: ProviderFinished },
  },
  "GET /account/oidc/claims": {
    summary: "Read what the identity provider sent to an operator who checked it",
    person: true,
    anyAccount: true,
    extension: true,
    query: NoQuery,
    answers: { 200: LastClaimsReport },
  },
  "GET /account/identities": {
    summary: "List one's own sign-ins at the identity provider",
    person: true,
    anyAccount: true,
    extension: true,
    query: NoQuery,
    answers: { 200: IdentityList },
  },
  "DELETE /account/identities/{id}": {
    summary: "Unlink one's own sign-in at the identity provider",
    person: true,
    anyAccount: true,
    extension: true,
    answers: { 200: Deleted },
  },
} as const satisfies Routes;

/** The provider itself calls it, with a token of its own. */
export const providerLogoutRoutes = {
  "POST /account/oidc/logout": {
    summary: "End sessions, as the identity provider asks (back-channel logout)",
    public: true,
    ownCredential: true,
    extension: true,
    body: LogoutRequest,
    answers: { 200: LogoutDone },
  },
} as const satisfies Routes;
