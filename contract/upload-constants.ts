import { byName } from "./by-name.ts";

/**
 * The constants and limits of uploads. They are apart from the schemas because pages do not need the schemas.
 */

export const uploadStatuses = ["pending", "uploaded", "verified", "rejected", "expired"] as const;
export type UploadStatus = (typeof uploadStatuses)[number];

/** The statuses that may follow each status. A status with an empty list is final. */
export const uploadTransitions: Record<UploadStatus, readonly UploadStatus[]> = {
  pending: ["uploaded", "expired"],
  uploaded: ["verified", "rejected", "expired"],
  verified: ["expired"],
  rejected: [],
  expired: [],
};

/** The purpose of a file, in OpenAI's terms. */
export const filePurposes = ["batch", "user_data", "vision"] as const;
export type FilePurpose = (typeof filePurposes)[number];

const MiB = 1024 * 1024;

/**
 * Accepted content types with their family. SVG and HTML are never accepted, because they can contain
 * scripts.
 */
export const uploadTypes = byName<"image" | "audio" | "video">({
  "image/jpeg": "image",
  "image/png": "image",
  "image/webp": "image",
  "image/gif": "image",
  "image/bmp": "image",
  "audio/wav": "audio",
  "audio/mpeg": "audio",
  "audio/mp4": "audio",
  "audio/ogg": "audio",
  "audio/flac": "audio",
  "audio/webm": "audio",
  "video/mp4": "video",
  "video/quicktime": "video",
  "video/webm": "video",
});

/** Tables with the inputs of a batch, in addition to media. */
export const tableTypes = ["text/csv", "application/jsonl"] as const;
export const tableMaxBytes = 16_000_000;

/** Largest upload per family, in bytes. */
export const uploadMaxBytes = { image: 20 * MiB, audio: 30_000_000, video: 500 * MiB } as const;

/**
 * Size of the parts of an upload that can continue; only the last may be smaller. S3 accepts no part below 5
 * MiB.
 */
export const uploadPartBytes = 8 * MiB;
/** The console sends larger files in parts, so that an upload continues after the connection breaks. */
export const partsFromBytes = 8_000_000;
/**
 * Minimum size of a request that continues an upload, unless it sends the rest. If a request breaks off
 * earlier, none of its bytes are stored.
 */
export const leastAppendBytes = 64 * 1024;

/** The reference of a request body to a stored upload: `upload://upl_…` (the bare id works too). */
export function uploadReference(id: string): string {
  return `upload://${id}`;
}
