/** What is known of the Content Credentials in a file: `unknown` when nobody has read them, or they cannot be read here. */
export const provenanceStates = ["present", "absent", "unknown"] as const;

/**
 * `valid`: the signature is right and the file is as it was signed; who signed is not compared with a list of trusted
 * signers. `invalid`: it was changed since, or the signature is wrong. `unreadable`: there is a manifest, and it is broken or
 * stored elsewhere.
 */
export const validations = ["valid", "invalid", "unreadable"] as const;

/** Why nothing is known of a file's Content Credentials. */
export const unknownReasons = [
  "not_read",
  "unsupported_type",
  "too_large",
  "reader_missing",
  "timeout",
  "failed",
] as const;

/** The largest file whose manifest is read, in bytes. */
export const readableBytes = 100_000_000;

/** What a file is, by the first part of its content type. */
export const outputKinds = ["image", "video", "audio"] as const;
