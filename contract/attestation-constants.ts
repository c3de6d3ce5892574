import type { ErrorCode } from "./error.ts";

/** The three codes that only the account's own signed-in user can resolve; no client may retry them by itself. */
export const attestationCodes = [
  "adult_attestation_required",
  "portrait_rights_attestation_required",
  "person_rights_confirmation_required",
] as const satisfies ErrorCode[];
