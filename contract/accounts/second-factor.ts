import { type Static, Type } from "typebox";
import { closed, Deleted, NoQuery, Nullable, Timestamp } from "../list.ts";
import type { Routes } from "../routes/route.ts";
import { Session } from "./account.ts";
import { personFields } from "./constants.ts";
import { Password } from "./people.ts";

/** The second factors. A passkey can also replace the password. */
export const secondFactorWays = ["passkey", "totp", "recovery_code"] as const;
export type SecondFactorWay = (typeof secondFactorWays)[number];

const Code = Type.String(personFields.code);
const Ticket = Type.String({ minLength: 1, maxLength: 100 });
const PasskeyName = Type.String(personFields.passkeyName);
/** Browsers add fields to these objects, so unknown ones are ignored. */
const Base64Url = Type.String({ maxLength: 8000, pattern: "^[A-Za-z0-9_-]*$" });
const credentialFields = { id: Base64Url, rawId: Base64Url, type: Type.Literal("public-key") };

/** `PublicKeyCredential.toJSON()` of a new passkey. */
export const PasskeyRegistration = Type.Object({
  ...credentialFields,
  response: Type.Object({
    clientDataJSON: Base64Url,
    attestationObject: Base64Url,
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 40 }), { maxItems: 10 })),
  }),
});
export type PasskeyRegistration = Static<typeof PasskeyRegistration>;

/** `PublicKeyCredential.toJSON()` of a passkey that signs in. */
export const PasskeyAssertion = Type.Object({
  ...credentialFields,
  response: Type.Object({
    clientDataJSON: Base64Url,
    authenticatorData: Base64Url,
    signature: Base64Url,
    userHandle: Type.Optional(Nullable(Base64Url)),
  }),
});
export type PasskeyAssertion = Static<typeof PasskeyAssertion>;

export const Passkey = Type.Object({
  id: Type.String(),
  object: Type.Literal("passkey"),
  name: Type.String(),
  synced: Type.Boolean({ description: "true when a password manager keeps a copy of the passkey" }),
  created_at: Timestamp,
  last_used_at: Nullable(Timestamp),
});
export type Passkey = Static<typeof Passkey>;

/** The second factors of the signed-in person. */
export const SecondFactor = Type.Object({
  object: Type.Literal("second_factor"),
  passkeys: Type.Array(Passkey),
  totp: Nullable(Type.Object({ created_at: Timestamp, last_used_at: Nullable(Timestamp) })),
  recovery_codes_left: Type.Integer(),
  has_password: Type.Boolean(),
  proof_needed: Type.Boolean({
    description:
      "true when every change requires the password or a code, because the session is older than 15 minutes",
  }),
  required_by: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), from: Timestamp }), {
    description: "the person's accounts that require a second factor, each with the time since when",
  }),
});
export type SecondFactor = Static<typeof SecondFactor>;

/**
 * Confirms the person's identity again by their password, a code of their authenticator app, or a recovery
 * code.
 */
export const Proof = Type.Object(
  { password: Type.Optional(Password), code: Type.Optional(Code) },
  { ...closed, minProperties: 1, maxProperties: 1 },
);
export type Proof = Static<typeof Proof>;
export const WithProof = Type.Object({ proof: Type.Optional(Proof) }, closed);
export type WithProof = Static<typeof WithProof>;

/** The secret for an authenticator app. Only this answer contains it. */
export const TotpSetup = Type.Object({
  object: Type.Literal("totp_setup"),
  secret: Type.String({ description: "the secret in base32, to type by hand" }),
  uri: Type.String(),
  qr_svg: Type.String({ description: "the `otpauth:` URI as a QR code" }),
});
export type TotpSetup = Static<typeof TotpSetup>;
export const TotpConfirm = Type.Object({ code: Code }, closed);
export type TotpConfirm = Static<typeof TotpConfirm>;

/** Only this answer contains the recovery codes. Null when the person already has some. */
export const SecondFactorAdded = Type.Object({
  object: Type.Literal("second_factor_added"),
  id: Nullable(Type.String({ description: "name of the new passkey" })),
  recovery_codes: Nullable(Type.Array(Type.String())),
});
export type SecondFactorAdded = Static<typeof SecondFactorAdded>;
export const RecoveryCodes = Type.Object({
  object: Type.Literal("recovery_codes"),
  codes: Type.Array(Type.String()),
});
export type RecoveryCodes = Static<typeof RecoveryCodes>;

/**
 * `public_key` is the argument of `navigator.credentials`, as JSON. The browser's answer must be sent back
 * together with `ticket`.
 */
export const PasskeyOptions = Type.Object({
  object: Type.Literal("passkey_options"),
  ticket: Type.String(),
  expires_at: Timestamp,
  public_key: Type.Record(Type.String(), Type.Unknown()),
});
export type PasskeyOptions = Static<typeof PasskeyOptions>;

export const PasskeyCreate = Type.Object(
  { ticket: Ticket, name: PasskeyName, credential: PasskeyRegistration },
  closed,
);
export type PasskeyCreate = Static<typeof PasskeyCreate>;
export const PasskeyUpdate = Type.Object({ name: PasskeyName }, closed);
export type PasskeyUpdate = Static<typeof PasskeyUpdate>;

/**
 * With the ticket of a password sign-in, the options contain that person's passkeys. Without a ticket, any
 * passkey works.
 */
export const PasskeySignInStart = Type.Object({ ticket: Type.Optional(Ticket) }, closed);
export const PasskeySignIn = Type.Object({ ticket: Ticket, credential: PasskeyAssertion }, closed);
export type PasskeySignIn = Static<typeof PasskeySignIn>;
/** Completes a sign-in with a password: a code, a recovery code, or a passkey. */
export const SecondFactorSignIn = Type.Object(
  { ticket: Ticket, code: Type.Optional(Code), credential: Type.Optional(PasskeyAssertion) },
  { ...closed, minProperties: 2, maxProperties: 2 },
);
export type SecondFactorSignIn = Static<typeof SecondFactorSignIn>;

export const secondFactorRoutes = {
  "GET /account/second_factor": {
    summary: "Read your passkeys, authenticator app and recovery codes",
    person: true,
    anyAccount: true,
    extension: true,
    neededToAttest: true,
    query: NoQuery,
    answers: { 200: SecondFactor },
  },
  "POST /account/second_factor/totp": {
    summary: "Start setting up an authenticator app; only this answer contains the secret",
    person: true,
    anyAccount: true,
    extension: true,
    neededToAttest: true,
    body: WithProof,
    answers: { 201: TotpSetup },
  },
  "POST /account/second_factor/totp/confirm": {
    summary: "Finish setting up the authenticator app with its first code",
    person: true,
    anyAccount: true,
    extension: true,
    neededToAttest: true,
    body: TotpConfirm,
    answers: { 201: SecondFactorAdded },
  },
  "POST /account/second_factor/totp/remove": {
    summary: "Remove the authenticator app",
    person: true,
    anyAccount: true,
    extension: true,
    neededToAttest: true,
    byClick: true,
    body: WithProof,
    answers: { 200: Deleted },
  },
  "POST /account/second_factor/recovery_codes": {
    summary: "Replace the recovery codes; only this answer contains them",
    person: true,
    anyAccount: true,
    extension: true,
    neededToAttest: true,
    body: WithProof,
    answers: { 201: RecoveryCodes },
  },
  "POST /account/passkeys/options": {
    summary: "Start adding a passkey",
    person: true,
    anyAccount: true,
    extension: true,
    neededToAttest: true,
    body: WithProof,
    answers: { 201: PasskeyOptions },
  },
  "POST /account/passkeys": {
    summary: "Add a passkey",
    person: true,
    anyAccount: true,
    extension: true,
    neededToAttest: true,
    body: PasskeyCreate,
    answers: { 201: SecondFactorAdded },
  },
  "PATCH /account/passkeys/{id}": {
    summary: "Rename a passkey",
    person: true,
    anyAccount: true,
    extension: true,
    neededToAttest: true,
    byClick: true,
    body: PasskeyUpdate,
    answers: { 200: Passkey },
  },
  "POST /account/passkeys/{id}/remove": {
    summary: "Remove a passkey",
    person: true,
    anyAccount: true,
    extension: true,
    neededToAttest: true,
    byClick: true,
    body: WithProof,
    answers: { 200: Deleted },
  },
  "POST /account/sessions/passkey/options": {
    summary: "Start a sign-in with a passkey",
    public: true,
    anyAccount: true,
    extension: true,
    neededToAttest: true,
    body: PasskeySignInStart,
    answers: { 201: PasskeyOptions },
  },
  "POST /account/sessions/passkey": {
    summary: "Sign in with a passkey instead of a password",
    public: true,
    anyAccount: true,
    extension: true,
    neededToAttest: true,
    body: PasskeySignIn,
    answers: { 201: Session },
  },
  "POST /account/sessions/second_factor": {
    summary: "Finish a sign-in with a code, a recovery code or a passkey",
    public: true,
    anyAccount: true,
    extension: true,
    neededToAttest: true,
    body: SecondFactorSignIn,
    answers: { 201: Session },
  },
} as const satisfies Routes;
