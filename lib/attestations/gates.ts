import { attestationCodes } from "#contract/attestation-constants.ts";
import type { AttestationKind } from "#contract/attestations.ts";
import type { SafetyRequirements } from "#contract/catalog.ts";

export type AttestationCode = (typeof attestationCodes)[number];

export interface Gate {
  /** What can be recorded for it; null when each request carries its own answer. */
  kind: AttestationKind | null;
  /** The catalog flag of the entries that it guards. */
  flag: keyof SafetyRequirements;
  title: string;
  /** Why the operation asks, in a sentence or two. */
  why: string;
}

/** The three checks of the specification's "Safety requirements", in the order in which the gateway asks. */
export const gates: Record<AttestationCode, Gate> = {
  adult_attestation_required: {
    kind: "adult",
    flag: "adult_attestation_required",
    title: "Adult attestation",
    why: "Some models can generate adult content. Each person who runs them has to confirm their age first. For a service key, its responsible person confirms.",
  },
  portrait_rights_attestation_required: {
    kind: "portrait_rights",
    flag: "portrait_rights_attestation_required",
    title: "Portrait-rights attestation",
    why: "Some operations change the appearance of real people. Each person who runs them first has to confirm that the people shown have agreed. For a service key, its responsible person confirms.",
  },
  person_rights_confirmation_required: {
    kind: null,
    flag: "per_request_person_rights_confirmation_required",
    title: "Person-rights confirmation",
    why: "For each run, some operations require you to confirm that every identifiable person in the images is you or has agreed to this use.",
  },
};

/** Whether `code` is one of the three codes that only the account's own signed-in user resolves. */
export function isAttestationCode(code: string): code is AttestationCode {
  return attestationCodes.some((known) => known === code);
}

/** Whether each run's form asks for it; nothing is recorded. */
export function isPerRequest(code: AttestationCode): boolean {
  return gates[code].kind === null;
}

/** The gate that records `kind`. */
export function gateOfKind(kind: AttestationKind): Gate {
  return kind === "adult" ? gates.adult_attestation_required : gates.portrait_rights_attestation_required;
}
