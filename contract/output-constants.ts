/**
 * State of a file's Content Credentials. `unknown`: the gateway has not read them yet, or cannot read them in
 * this file.
 */
export const provenanceStates = ["present", "absent", "unknown"] as const;

/**
 * `valid`: the signature is correct and the file has not changed since; the signer is not compared with a
 * list of trusted signers. `invalid`: the file has changed since, or the signature is wrong. `unreadable`:
 * the manifest is broken or stored outside the file.
 */
export const validations = ["valid", "invalid", "unreadable"] as const;

/** Why the state of a file's Content Credentials is unknown. */
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
  /** Longest search of the library, and the number of its words that count. */
  searchLength: 200,
  searchWords: 10,
} as const;

/** How long a removed kept file can be restored. Keeping it again restores it. */
export const keepUndoMs = 600_000;

/** Largest file that is signed, or whose manifest is read, in bytes. */
export const readableBytes = 100_000_000;

/** The family of a file, by the first part of its content type. */
export const outputKinds = ["image", "video", "audio"] as const;

/** A file's preview fits into a square with this side, in pixels. */
export const previewSidePx = 512;
