/**
 * State of a file's Content Credentials: `unknown` when nobody has read them, or they cannot be read here.
 */
export const provenanceStates = ["present", "absent", "unknown"] as const;

/**
 * `valid`: the signature is right and the file is as it was signed; who signed is not compared with a list of
 * trusted signers. `invalid`: it was changed since, or the signature is wrong. `unreadable`: there is a
 * manifest, and it is broken or stored elsewhere.
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

/** The types of files that can be signed. */
export const signableTypes = [
  "image/png",
  "image/jpeg",
  "image/webp",
  "image/gif",
  "video/mp4",
  "video/quicktime",
  "audio/wav",
  "audio/mpeg",
  "audio/mp4",
] as const;

/** The limits of a kept file's name, labels and note. */
export const keepLimits = {
  labels: 10,
  labelLength: 50,
  /** The longest retention that a kept file may have, in days. */
  days: 36_500,
  /** Maximum length of a search, and the number of its words that count. */
  searchLength: 200,
  searchWords: 10,
} as const;

/** How long a removed kept file can be restored by keeping it again. */
export const keepUndoMs = 600_000;

/** The largest file whose manifest is read, and that is signed, in bytes. */
export const readableBytes = 100_000_000;

/** What a file is, by the first part of its content type. */
export const outputKinds = ["image", "video", "audio"] as const;

/** The preview of a file fits into a square with this side. */
export const previewSidePx = 512;
