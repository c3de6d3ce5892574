import { byName } from "./by-name.ts";

/** The constants and limits of uploads, without their schemas, which pages do not need. */

export const uploadStatuses = ["pending", "uploaded", "verified", "rejected", "expired"] as const;
export type UploadStatus = (typeof uploadStatuses)[number];

/** What may follow each status; an empty list is terminal. */
export const uploadTransitions: Record<UploadStatus, readonly UploadStatus[]> = {
  pending: ["uploaded", "expired"],
  uploaded: ["verified", "rejected", "expired"],
  verified: ["expired"],
  rejected: [],
  expired: [],
};

/** What a file is for, in OpenAI's words. */
export const filePurposes = ["batch", "user_data", "vision"] as const;
export type FilePurpose = (typeof filePurposes)[number];

const MiB = 1024 * 1024;

/** Accepted content types with their family; never svg or html. */
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

/** Tables of inputs for a batch, beside the media. */
export const tableTypes = ["text/csv", "application/jsonl"] as const;
export const tableMaxBytes = 16_000_000;

/** Largest upload per family, in bytes. */
export const uploadMaxBytes = { image: 20 * MiB, audio: 30_000_000, video: 500 * MiB } as const;

/** Parts of an upload that can continue: as large as this, but for the last. S3 takes none below 5 MiB. */
export const uploadPartBytes = 8 * MiB;
/** The console sends larger files in parts, so that they continue after a cut. */
export const partsFromBytes = 8_000_000;
/**
 * Minimum size of a request that continues an upload, unless it sends the rest. Nothing is kept of one that
 * breaks off earlier.
 */
export const leastAppendBytes = 64 * 1024;

/** How a request body refers to a stored upload: `upload://upl_…` (the bare id works too). */
export function uploadReference(id: string): string {
  return `upload://${id}`;
}
