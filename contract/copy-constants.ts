/**
 * The constants of destinations and copies. They are apart from the schemas because pages do not need the
 * schemas.
 */

/** Which files are copied automatically: none, those of chosen models, or those of all models. */
export const automaticCopies = ["off", "chosen", "all"] as const;
export type AutomaticCopies = (typeof automaticCopies)[number];

/** `paused`: a person paused the destination. Its copies wait. */
export const destinationStatuses = ["active", "paused"] as const;
export type DestinationStatus = (typeof destinationStatuses)[number];

export const copyStatuses = ["pending", "copying", "succeeded", "failed"] as const;
export type CopyStatus = (typeof copyStatuses)[number];

/** The allowed next statuses. A finished copy starts again when a person asks for it. */
export const copyTransitions: Record<CopyStatus, readonly CopyStatus[]> = {
  pending: ["copying"],
  copying: ["pending", "succeeded", "failed"],
  succeeded: ["pending"],
  failed: ["pending"],
};

export const copyTriggers = ["automatic", "manual"] as const;
export type CopyTrigger = (typeof copyTriggers)[number];

export const copyErrorCodes = [
  "blocked_address",
  "dns_error",
  "no_connection",
  "tls_error",
  "timeout",
  "redirect",
  "wrong_keys",
  "access_denied",
  "bucket_not_found",
  "wrong_region",
  "bytes_differ",
  "refused",
  "server_error",
  "interrupted",
  "file_removed",
  "file_barred",
  "attestation_required",
  "internal_error",
] as const;
export type CopyErrorCode = (typeof copyErrorCodes)[number];

/** Most attempts before a copy fails. A person can then retry it. */
export const maxCopyAttempts = 8;
/** Most attempts in the log of a copy. Older ones are removed. */
export const keptCopyAttempts = 24;

export const destinationLimits = {
  perAccount: 20,
  models: 100,
  modelLength: 200,
} as const;

/** Texts of a destination, for its schema and its form. */
export const destinationFields = {
  /** As people type them: ids, one per line. */
  models: { minLength: 1 },
  name: { minLength: 1, maxLength: 100, pattern: "\\S" },
  endpoint_url: { minLength: 1, maxLength: 500 },
  region: { minLength: 1, maxLength: 50, pattern: "^[A-Za-z0-9-]+$" },
  bucket: { pattern: "^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$" },
  prefix: { maxLength: 200, pattern: "^(?!(.*/)?\\.{1,2}/)([A-Za-z0-9!_.*'()/-]*)$" },
  access_key_id: { minLength: 1, maxLength: 200, pattern: "^[\\x21-\\x7e]+$" },
  secret_access_key: { minLength: 1, maxLength: 500, pattern: "^[\\x21-\\x7e]+$" },
} as const;

/** Waiting and failed copies are counted only up to this number. */
export const copiesCountedTo = 1_000;
