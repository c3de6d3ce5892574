"use server";

import type { Attestation, AttestationKind } from "#contract/attestations.ts";
import type { Acting } from "@/lib/gateway/result";
import { createAttestation, getAttestationDesk, revokeAttestation } from "@/lib/server/gateway/account";
import type { AttestationDesk } from "./desk.ts";

export async function loadAttestationDesk(): Acting<AttestationDesk> {
  return { answer: getAttestationDesk() };
}

/** Records that the signed-in user confirms the statement whose version was shown. */
export async function attest(kind: AttestationKind, statementVersion: string): Acting<Attestation> {
  return { answer: createAttestation({ kind, statement_version: statementVersion, confirmed: true }) };
}

/** Takes the user's attestation back; it stops counting at once. */
export async function withdrawAttestation(kind: AttestationKind): Acting<unknown> {
  return { answer: revokeAttestation(kind) };
}
