/** The constants of destinations and copies, separate from the schemas because pages do not need those. */

/** Which files are copied automatically: none, those of chosen models, or those of all models. */
export const automaticCopies = ["off", "chosen", "all"] as const;
export type AutomaticCopies = (typeof automaticCopies)[number];

/** `paused`: by a person, temporarily. Its copies wait. */
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
  "attestation_required",
  "internal_error",
] as const;
export type CopyErrorCode = (typeof copyErrorCodes)[number];

/** Attempts before a copy fails; a person can then retry it. */
export const maxCopyAttempts = 8;
/** The latest attempts, kept in the log of a copy. */
export const keptCopyAttempts = 24;

export const destinationLimits = {
  perAccount: 20,
  nameLength: 100,
  addressLength: 500,
  regionLength: 50,
  prefixLength: 200,
  accessKeyLength: 200,
  secretLength: 500,
  models: 100,
  modelLength: 200,
} as const;

/** The maximum shown for counts of waiting and failed copies. */
export const copiesCountedTo = 1_000;
