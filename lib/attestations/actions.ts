"use server";

import type { Account, Attestation, AttestationKind, AttestationList } from "#contract/account.ts";
import type { GatewayResult } from "@/lib/gateway/result";
import {
  createAttestation,
  getAccount,
  listAttestations,
  revokeAttestation,
} from "@/lib/server/gateway/account";

export interface AttestationDesk {
  account: Account;
  attestations: AttestationList;
}

/** What the attestation dialogs show: who is signed in, and what can be attested today. */
export async function loadAttestationDesk(): Promise<GatewayResult<AttestationDesk>> {
  const account = await getAccount();
  if (!account.ok) return account;
  const attestations = await listAttestations();
  if (!attestations.ok) return attestations;
  return { ok: true, data: { account: account.data, attestations: attestations.data } };
}

/** Records that the signed-in user confirms the statement whose version was shown. */
export async function attest(
  kind: AttestationKind,
  statementVersion: string,
): Promise<GatewayResult<Attestation>> {
  return createAttestation({ kind, statement_version: statementVersion, confirmed: true });
}

/** Takes the user's attestation back; it stops counting at once. */
export async function withdrawAttestation(kind: AttestationKind): Promise<GatewayResult<unknown>> {
  return revokeAttestation(kind);
}
