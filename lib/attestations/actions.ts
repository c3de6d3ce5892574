"use server";

import type { Attestation, AttestationKind } from "#contract/attestations.ts";
import type { ActionResult } from "@/lib/gateway/result";
import { getAttestationDesk } from "@/lib/server/gateway/account";
import { requestRoute } from "@/lib/server/gateway/request";
import type { AttestationDesk } from "./desk.ts";

export async function loadAttestationDesk(): ActionResult<AttestationDesk> {
  return { answer: getAttestationDesk() };
}

/** Records that the signed-in user confirms the statement whose version was shown. */
export async function attest(kind: AttestationKind, statementVersion: string): ActionResult<Attestation> {
  return {
    answer: requestRoute("POST /account/attestations", {
      body: { kind, statement_version: statementVersion, confirmed: true },
    }),
  };
}

/** Withdraws the user's attestation; it stops counting at once. */
export async function withdrawAttestation(kind: AttestationKind): ActionResult<unknown> {
  return { answer: requestRoute("DELETE /account/attestations/{kind}", { params: { kind } }) };
}
