import { byName } from "#contract/by-name.ts";
import { uploadMaxBytes, uploadTypes } from "#contract/upload-constants.ts";
import { formatByteLimit, formatBytes } from "../format.ts";
import type { MediaKind } from "./accepted-types.ts";

/** Content types for which browsers and the gateway use different names. */
const aliases = byName<string>({
  "audio/x-wav": "audio/wav",
  "audio/wave": "audio/wav",
  "audio/vnd.wave": "audio/wav",
  "audio/mp3": "audio/mpeg",
  "audio/x-m4a": "audio/mp4",
  "audio/m4a": "audio/mp4",
  "audio/aac": "audio/mp4",
  "audio/x-flac": "audio/flac",
  "audio/opus": "audio/ogg",
  "application/ogg": "audio/ogg",
  "image/jpg": "image/jpeg",
  "image/pjpeg": "image/jpeg",
  "image/x-ms-bmp": "image/bmp",
  "video/x-m4v": "video/mp4",
});

const byExtension = byName<string>({
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  png: "image/png",
  webp: "image/webp",
  gif: "image/gif",
  bmp: "image/bmp",
  wav: "audio/wav",
  mp3: "audio/mpeg",
  m4a: "audio/mp4",
  ogg: "audio/ogg",
  oga: "audio/ogg",
  opus: "audio/ogg",
  flac: "audio/flac",
  weba: "audio/webm",
  mp4: "video/mp4",
  m4v: "video/mp4",
  mov: "video/quicktime",
  webm: "video/webm",
});

/**
 * The content type to declare for a file: the browser's type without parameters, under the gateway's name for
 * it.
 */
export function contentTypeOf(file: { name: string; type: string }): string {
  const declared = file.type.split(";")[0]?.trim().toLowerCase() ?? "";
  const known = aliases[declared] ?? declared;
  if (known in uploadTypes) return known;
  const extension = file.name.split(".").pop()?.toLowerCase() ?? "";
  return byExtension[extension] ?? known;
}

/** The gateway's family of a content type. Null: the gateway does not accept the type. */
export function mediaKindOf(contentType: string): MediaKind | null {
  return uploadTypes[contentType] ?? null;
}

export interface FileLimits {
  /** Families of media that the field accepts. All if empty or missing. */
  kinds?: readonly MediaKind[];
  /** The operation's size limit, in addition to the family's. */
  maxBytes?: number | null;
}

/** Why a file cannot be uploaded, and what to do. Undefined: it can. Sends no request. */
export function fileProblem(file: { name: string; type: string; size: number }, limits: FileLimits = {}) {
  const contentType = contentTypeOf(file);
  const kind = mediaKindOf(contentType);
  const kinds = limits.kinds ?? [];
  if (!kind)
    return {
      code: "unsupported_content_type",
      message: `Choose another file: ${contentType || "this type"} is not accepted. ${describeAccepted(kinds)}`,
    };
  if (kinds.length > 0 && !kinds.includes(kind))
    return {
      code: "unsupported_content_type",
      message: `Choose ${kinds.map(withArticle).join(" or ")}: “${file.name}” is ${withArticle(kind)}.`,
    };
  if (file.size === 0)
    return { code: "empty_file", message: `Choose another file: “${file.name}” is empty.` };
  const maxBytes = Math.min(uploadMaxBytes[kind], limits.maxBytes ?? Number.POSITIVE_INFINITY);
  if (file.size > maxBytes)
    return {
      code: "upload_too_large",
      message: `Choose a file of at most ${formatByteLimit(maxBytes)}: “${file.name}” has ${formatBytes(file.size)}.`,
    };
  return null;
}

function withArticle(kind: MediaKind): string {
  return kind === "image" ? "an image" : kind === "audio" ? "an audio file" : "a video";
}

function describeAccepted(kinds: readonly MediaKind[]): string {
  const names = Object.entries(uploadTypes)
    .filter(([, kind]) => kinds.length === 0 || kinds.includes(kind))
    .map(([type]) => type.split("/")[1]);
  return `Accepted: ${[...new Set(names)].join(", ")}.`;
}
