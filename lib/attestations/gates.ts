import type { Account } from "#contract/accounts/account.ts";
import { attestationCodes } from "#contract/attestation-constants.ts";
import type { AttestationKind, AttestationList } from "#contract/attestations.ts";
import type { CatalogModel, SafetyRequirements } from "#contract/catalog.ts";
import type { Key } from "../../messages/words.ts";

export type AttestationCode = (typeof attestationCodes)[number];

export interface Gate {
  /**
   * The attestation that a person can record for this gate. Null: each request must contain the confirmation.
   */
  kind: AttestationKind | null;
  /** The catalog's flag on entries behind this gate. */
  flag: keyof SafetyRequirements;
  title: Key<"attestations">;
  /** Why the operation needs the confirmation, in one or two sentences. */
  why: Key<"attestations">;
}

/** The gates of the specification's "Safety requirements", in the order in which the gateway checks them. */
export const gates: Record<AttestationCode, Gate> = {
  adult_attestation_required: {
    kind: "adult",
    flag: "adult_attestation_required",
    title: "adultGate",
    why: "adultGateWhy",
  },
  portrait_rights_attestation_required: {
    kind: "portrait_rights",
    flag: "portrait_rights_attestation_required",
    title: "portraitGate",
    why: "portraitGateWhy",
  },
  person_rights_confirmation_required: {
    kind: null,
    flag: "per_request_person_rights_confirmation_required",
    title: "personGate",
    why: "personGateWhy",
  },
};

/** Whether `code` is one of the three codes that only a signed-in user of the account can resolve. */
export function isAttestationCode(code: string): code is AttestationCode {
  return attestationCodes.some((known) => known === code);
}

/** Whether the user confirms in each run's form, so that the gateway records no attestation. */
export function isPerRequest(code: AttestationCode): boolean {
  return gates[code].kind === null;
}

/** The gate that an attestation of this kind opens. */
export function gateOfKind(kind: AttestationKind): Gate {
  return kind === "adult" ? gates.adult_attestation_required : gates.portrait_rights_attestation_required;
}

/** Data of the attestation dialogs: the signed-in person, and the current statements. */
export interface AttestationDesk {
  account: Account;
  attestations: AttestationList;
}

/** The models behind each gate, by error code. */
export function unlockedBy(
  models: readonly Pick<CatalogModel, "id" | "safety_requirements">[],
): Record<AttestationCode, string[]> {
  const guarded = (code: AttestationCode) =>
    models.filter((model) => model.safety_requirements[gates[code].flag] === true).map((model) => model.id);
  const [adult, portrait, person] = attestationCodes;
  return { [adult]: guarded(adult), [portrait]: guarded(portrait), [person]: guarded(person) };
}
