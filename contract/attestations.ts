import { type Static, Type } from "typebox";
import { languageCodes } from "#messages/languages.ts";
import { roles } from "./accounts/constants.ts";
import { LanguageCode, Person } from "./accounts/people.ts";
import { closed, Deleted, ListOf, Nullable, PageQuery, Timestamp } from "./list.ts";
import type { Routes } from "./routes/route.ts";

export const attestationKinds = ["adult", "portrait_rights"] as const;
export type AttestationKind = (typeof attestationKinds)[number];

/** Why a reader does not get a model's output. Null: the reader gets it. */
export const Gated = Nullable(
  Type.Enum(attestationKinds, {
    description: "the attestation that the caller lacks to see this output; null: none is missing",
  }),
);

export const Attestation = Type.Object({
  id: Type.String(),
  object: Type.Literal("attestation"),
  kind: Type.Enum(attestationKinds),
  statement_version: Type.String(),
  statement: Type.String({ description: "the text as it was confirmed, in `language`" }),
  language: LanguageCode,
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
  translations: Type.Partial(
    Type.Record(LanguageCode, Type.Object({ title: Type.String(), statement: Type.String() })),
    { description: "the same statement in other languages" },
  ),
});
export type AttestationStatement = Static<typeof AttestationStatement>;

/** An attestation in force: the person confirmed the current wording and is still a member. */
export const StandingAttestation = Type.Object({
  kind: Type.Enum(attestationKinds),
  user: Person,
  role: Type.Enum(roles),
  since: Timestamp,
  runs_own: Type.Boolean({ description: "true: covers runs of the member's sessions and personal keys" }),
  service_keys: Type.Array(Person, {
    description: "service keys that run gated models with this attestation",
  }),
});
export type StandingAttestation = Static<typeof StandingAttestation>;

/**
 * `statements`: the current texts, and whether the caller's runs are covered; `standing`: attestations in
 * force; `data`: the history, newest first.
 */
export const AttestationList = Type.Interface([ListOf(Attestation)], {
  statements: Type.Array(AttestationStatement),
  standing: Type.Array(StandingAttestation),
});
export type AttestationList = Static<typeof AttestationList>;

/** `statement_version` must be the current one: the user confirms the text that was shown. */
export const AttestationCreate = Type.Object(
  {
    kind: Type.Enum(attestationKinds),
    statement_version: Type.String(),
    confirmed: Type.Literal(true),
    language: Type.Optional(
      Type.Enum(languageCodes, {
        description: "language of the text that the user confirmed; by default English",
      }),
    ),
  },
  closed,
);
export type AttestationCreate = Static<typeof AttestationCreate>;

export const attestationRoutes = {
  "GET /account/attestations": {
    summary: "List statements and attestations",
    permission: "attestations:read",
    extension: true,
    neededToAttest: true,
    fromBrowser: true,
    query: PageQuery,
    answers: { 200: AttestationList },
  },
  "POST /account/attestations": {
    summary: "Attest, as a signed-in user",
    permission: "attestations:make",
    extension: true,
    idempotent: true,
    neededToAttest: true,
    byClick: true,
    body: AttestationCreate,
    answers: { 201: Attestation },
  },
  "DELETE /account/attestations/{kind}": {
    summary: "Withdraw an attestation",
    permission: "attestations:make",
    extension: true,
    neededToAttest: true,
    byClick: true,
    params: Type.Object({ kind: Type.String({ description: "kind or id of the attestation" }) }),
    answers: { 200: Deleted },
  },
} as const satisfies Routes;
