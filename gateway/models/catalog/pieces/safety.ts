import type { SafetyRequirements } from "#contract/catalog.ts";

export const ungated: SafetyRequirements = {
  adult_attestation_required: false,
  minimum_age: null,
  portrait_rights_attestation_required: false,
  per_request_person_rights_confirmation_required: false,
};

export const adultOnly: SafetyRequirements = {
  ...ungated,
  adult_attestation_required: true,
  minimum_age: 18,
};

/** The specification's rule: 18 where an adult's attestation is required, otherwise null. */
export function withMinimumAge(safety: SafetyRequirements): SafetyRequirements {
  return { ...safety, minimum_age: safety.adult_attestation_required ? adultOnly.minimum_age : null };
}

/** All three gates: operations on pictures of identifiable people. */
export const adultWithPersonRights: SafetyRequirements = {
  ...adultOnly,
  portrait_rights_attestation_required: true,
  per_request_person_rights_confirmation_required: true,
};
