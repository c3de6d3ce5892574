import { type Static, Type } from "typebox";
import { Nullable, Timestamp } from "./list.ts";
import { Cost } from "./money/cost.ts";

const Salted = {
  salt: Type.String(),
  sha256: Type.String({
    description: "salted SHA-256 in hexadecimal: the hash of the salt's text followed by the value",
  }),
};
const SaltedHash = Type.Object(Salted);
const exampleHash = {
  salt: "9a1f0c5be2d34778a6c4b1e08d7f2a35",
  sha256: "c0535e4be2b79ffd93291305436bf889314e4a3faec05ecffcbb7df31ad9e51a",
};

const receiptKinds = ["prediction", "response", "run"] as const;
export type ReceiptKind = (typeof receiptKinds)[number];

/** A longer text cannot be a receipt: receipts have a few kilobytes. */
export const maxReceiptBytes = 256_000;

/** The facts that a receipt states about one run. */
export const Receipt = Type.Object({
  object: Type.Literal("receipt"),
  version: Type.Literal(1),
  issuer: Type.String({ description: "the address of the gateway that issued it" }),
  issued_at: Timestamp,
  id: Type.String({ description: "id of the prediction, the response or the sync run" }),
  kind: Type.Enum(receiptKinds),
  account_id: Type.String(),
  model: Type.String(),
  operation: Type.String(),
  region: Type.String(),
  provider: Nullable(
    Type.String({ description: "provider of the run; null: none was called, or it is no longer known" }),
  ),
  sandbox: Type.Boolean({ description: "true when the sandbox provider made the output: no model ran" }),
  status: Type.String(),
  error_code: Nullable(Type.String()),
  created_at: Timestamp,
  started_at: Nullable(Timestamp),
  completed_at: Nullable(Timestamp),
  gates: Type.Array(
    Type.Object({
      gate: Type.String(),
      statement_version: Nullable(
        Type.String({
          description: "version of the confirmed statement; null: the request contained the confirmation",
        }),
      ),
    }),
    { description: "the gates that the run passed" },
  ),
  input: Type.Object(Salted, {
    description:
      "salted hash of the input in canonical form (RFC 8785), with each file replaced by `sha256:` and the hash of its bytes; for a response, the salted hash of its input items",
    examples: [exampleHash],
  }),
  output: Nullable(
    Type.Object(Salted, {
      description: "for a response, the salted hash of its output items in canonical form",
      examples: [exampleHash],
    }),
  ),
  output_files: Type.Array(Nullable(SaltedHash), {
    description:
      "one entry for each file, in order: the salted hash of the file's hexadecimal SHA-256; null: unknown",
  }),
  cost: Nullable(Cost),
  deliveries: Nullable(
    Type.Array(
      Type.Object({
        id: Type.String(),
        event_id: Type.String(),
        event_type: Type.String(),
        endpoint_id: Type.String(),
        status: Type.String(),
        attempts: Type.Integer(),
        delivered_at: Nullable(Timestamp),
      }),
      {
        description:
          "states of the first 100 deliveries of the run's events when the receipt was issued; null: the reader may not read deliveries",
      },
    ),
  ),
});
export type Receipt = Static<typeof Receipt>;

/** The whole file is in canonical form, so it contains the signed bytes of the receipt unchanged. */
export const SignedReceipt = Type.Object({
  receipt: Receipt,
  signature: Type.Object({
    alg: Type.Literal("EdDSA"),
    kid: Type.String({ description: "id of the key at /.well-known/gatehouse-receipts.json" }),
    value: Type.String({ description: "Ed25519 over the bytes of `receipt`, in base64" }),
  }),
});
export type SignedReceipt = Static<typeof SignedReceipt>;

/** A public key, as JWK and as PEM. */
const ReceiptKey = Type.Object({
  alg: Type.Literal("EdDSA"),
  created_at: Timestamp,
  crv: Type.Literal("Ed25519"),
  kid: Type.String({ description: "the thumbprint of the key (RFC 7638)" }),
  kty: Type.Literal("OKP"),
  pem: Type.String(),
  retired_at: Nullable(Timestamp),
  use: Type.Literal("sig"),
  x: Type.String(),
});
export type ReceiptKey = Static<typeof ReceiptKey>;

export const ReceiptKeys = Type.Object({
  keys: Type.Array(ReceiptKey, { description: "the key that signs first, then the retired ones" }),
});
export type ReceiptKeys = Static<typeof ReceiptKeys>;

const receiptStates = ["valid", "changed", "unknown_key"] as const;

/** The result of checking a receipt. */
export const ReceiptCheck = Type.Object({
  state: Type.Enum(receiptStates, {
    description: "unknown_key: this installation did not sign the receipt",
  }),
  kid: Nullable(Type.String()),
  receipt: Nullable(Receipt),
});
export type ReceiptCheck = Static<typeof ReceiptCheck>;
