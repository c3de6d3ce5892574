import { type Static, Type } from "typebox";
import { NoQuery, Nullable, Timestamp } from "../list.ts";
import { signableTypes } from "../output-constants.ts";
import { ReceiptKeys } from "../receipts.ts";
import type { Routes } from "../routes/route.ts";
import { codesOf } from "../sentences.ts";

/** The result of a test signature. */
export const signingTrials = ["signed", "library_missing", "expired", "failed", "timeout", "busy"] as const;
export type SigningTrial = (typeof signingTrials)[number];

export const SigningCertificate = Type.Object({
  subject: Type.String(),
  issuer: Type.String(),
  algorithm: Type.String({
    description: "signature algorithm: es256, es384, es512, ps256, ps384, ps512 or ed25519",
  }),
  valid_from: Timestamp,
  expires_at: Timestamp,
});
export type SigningCertificate = Static<typeof SigningCertificate>;

/** Whether outputs are signed, and with which certificate. */
export const SigningStatus = Type.Object({
  object: Type.Literal("signing_status"),
  configured: Type.Boolean({ description: "true when C2PA_CERTIFICATE_FILE and C2PA_KEY_FILE are set" }),
  certificate: Nullable(SigningCertificate),
  problem: Nullable(
    Type.String({
      description: "why the current files cannot be used; the gateway still uses the last valid ones",
    }),
  ),
  problem_codes: codesOf("problem"),
  trial: Nullable(
    Type.Enum(signingTrials, {
      description: "result of signing a picture and reading it back for this answer",
    }),
  ),
  trial_error: Nullable(Type.String({ description: "message of the signing library" })),
  content_types: Type.Array(Type.Enum(signableTypes), { description: "content types that can be signed" }),
});
export type SigningStatus = Static<typeof SigningStatus>;

export const operatorSigningRoutes = {
  "GET /operator/signing": {
    summary: "Read whether outputs are signed, and with which certificate",
    operator: true,
    extension: true,
    query: NoQuery,
    answers: { 200: SigningStatus },
  },
} as const satisfies Routes;

export const operatorReceiptRoutes = {
  "GET /operator/receipt_keys": {
    summary: "List the public keys of receipts, as /.well-known/gatehouse-receipts.json shows them",
    operator: true,
    extension: true,
    query: NoQuery,
    answers: { 200: ReceiptKeys },
  },
  "POST /operator/receipt_keys/rotate": {
    summary: "Sign receipts with a new key from now on; the old public key is kept",
    operator: true,
    extension: true,
    idempotent: true,
    byClick: true,
    answers: { 200: ReceiptKeys },
  },
} as const satisfies Routes;
