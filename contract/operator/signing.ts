import { type Static, Type } from "typebox";
import { Nullable, Timestamp } from "../nullable.ts";
import { signableTypes } from "../output-constants.ts";

/** The result of a test signature. */
export const signingTrials = ["signed", "library_missing", "expired", "failed", "timeout", "busy"] as const;
export type SigningTrial = (typeof signingTrials)[number];

export const SigningCertificate = Type.Object({
  subject: Type.String(),
  issuer: Type.String(),
  algorithm: Type.String({ description: "es256, es384, es512, ps256, ps384, ps512 or ed25519" }),
  valid_from: Timestamp,
  expires_at: Timestamp,
});
export type SigningCertificate = Static<typeof SigningCertificate>;

/** Whether outputs are signed, and with which certificate. */
export const SigningStatus = Type.Object({
  object: Type.Literal("signing_status"),
  configured: Type.Boolean({ description: "whether C2PA_CERTIFICATE_FILE and C2PA_KEY_FILE are set" }),
  certificate: Nullable(SigningCertificate),
  problem: Nullable(
    Type.String({ description: "why the files as they are now are not used; what they said before is" }),
  ),
  trial: Nullable(
    Type.Enum(signingTrials, { description: "how a picture was signed and read back for this answer" }),
  ),
  trial_error: Nullable(Type.String({ description: "what the library said of it" })),
  content_types: Type.Array(Type.Enum(signableTypes), { description: "what can be signed" }),
});
export type SigningStatus = Static<typeof SigningStatus>;
