import { type Static, Type } from "typebox";
import { closed, ListOf } from "./list.ts";
import { Nullable, Timestamp } from "./nullable.ts";

export const attestationKinds = ["adult", "portrait_rights"] as const;
export type AttestationKind = (typeof attestationKinds)[number];

export const Attestation = Type.Object({
  id: Type.String(),
  object: Type.Literal("attestation"),
  kind: Type.Enum(attestationKinds),
  statement_version: Type.String(),
  statement: Type.String(),
  user_id: Type.String(),
  user_name: Type.String(),
  ip: Nullable(Type.String()),
  created_at: Timestamp,
  revoked_at: Nullable(Timestamp),
});
export type Attestation = Static<typeof Attestation>;

export const AttestationStatement = Type.Object({
  kind: Type.Enum(attestationKinds),
  version: Type.String(),
  title: Type.String(),
  statement: Type.String({ description: "the exact text that the user confirms" }),
  active: Type.Boolean(),
});
export type AttestationStatement = Static<typeof AttestationStatement>;

/** `statements`: the current statements and whether each is attested; `data`: the history, newest first. */
export const AttestationList = Type.Interface([ListOf(Attestation)], {
  statements: Type.Array(AttestationStatement),
});
export type AttestationList = Static<typeof AttestationList>;

/** `statement_version` must be the current one: the user confirms the text that was shown. */
export const AttestationCreate = Type.Object(
  {
    kind: Type.Enum(attestationKinds),
    statement_version: Type.String(),
    confirmed: Type.Literal(true),
  },
  closed,
);
export type AttestationCreate = Static<typeof AttestationCreate>;
