import type { ErrorCode } from "./error.ts";

/**
 * The three error codes that only a signed-in user of the account can resolve. Clients must not retry
 * automatically.
 */
export const attestationCodes = [
  "adult_attestation_required",
  "portrait_rights_attestation_required",
  "person_rights_confirmation_required",
] as const satisfies ErrorCode[];
