import { type Static, Type } from "typebox";
import { ListOf, PageQuery } from "./list.ts";
import { Nullable, Timestamp } from "./nullable.ts";

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

const MiB = 1024 * 1024;

/** Accepted content types with their family; never svg or html. */
export const uploadTypes: Record<string, "image" | "audio" | "video"> = {
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
};

/** Largest upload per family, in bytes. */
export const uploadMaxBytes = { image: 20 * MiB, audio: 30_000_000, video: 500 * MiB } as const;

/** How a request body names a stored upload: `upload://upl_…` (the bare id works too). */
export function uploadReference(id: string): string {
  return `upload://${id}`;
}

export const Upload = Type.Object({
  id: Type.String(),
  object: Type.Literal("upload"),
  status: Type.String(),
  content_type: Type.String(),
  size_bytes: Type.Integer(),
  filename: Nullable(Type.String()),
  sha256: Nullable(Type.String()),
  reference: Type.String(),
  upload_url: Nullable(Type.String()),
  upload_method: Type.Literal("PUT"),
  upload_headers: Type.Record(Type.String(), Type.String()),
  download_url: Nullable(Type.String()),
  url_expires_at: Timestamp,
  object_expires_at: Nullable(Timestamp),
  created_at: Timestamp,
  verified_at: Nullable(Timestamp),
  error: Nullable(Type.Object({ code: Type.String(), message: Type.String() })),
});
export type Upload = Static<typeof Upload>;

export const UploadCreate = Type.Object({
  content_type: Type.String({ minLength: 1, maxLength: 200 }),
  size_bytes: Type.Integer({ minimum: 1 }),
  filename: Type.Optional(Type.String({ maxLength: 255 })),
  sha256: Type.Optional(Type.String({ pattern: "^[0-9a-f]{64}$" })),
});
export type UploadCreate = Static<typeof UploadCreate>;

export const UploadList = ListOf(Upload);

export const UploadVerify = Type.Object({
  sha256: Type.Optional(Type.String({ pattern: "^[0-9a-f]{64}$" })),
});
export type UploadVerify = Static<typeof UploadVerify>;

export const UploadQuery = Type.Interface([PageQuery], {
  status: Type.Optional(Type.String()),
  kind: Type.Optional(Type.Enum(["image", "audio", "video"])),
});
export type UploadQuery = Static<typeof UploadQuery>;
