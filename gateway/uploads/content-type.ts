import { uploadTypes } from "#contract/upload.ts";
import { ApiError } from "#gateway/core/api-error.ts";

/** Other names under which browsers and tools send an accepted type. */
const aliases: Record<string, string> = {
  "image/jpg": "image/jpeg",
  "image/x-ms-bmp": "image/bmp",
  "audio/x-wav": "audio/wav",
  "audio/wave": "audio/wav",
  "audio/vnd.wave": "audio/wav",
  "audio/mp3": "audio/mpeg",
  "audio/m4a": "audio/mp4",
  "audio/x-m4a": "audio/mp4",
  "audio/x-flac": "audio/flac",
  "video/x-m4v": "video/mp4",
};

/** The type without parameters, under its normalised name. */
export function normalizedType(text: string): string {
  const type = (text.split(";")[0] ?? "").trim().toLowerCase();
  return aliases[type] ?? type;
}

/** The normalised type of an upload and its family. Throws `unsupported_content_type`. */
export function acceptedType(text: string): { contentType: string; family: "image" | "audio" | "video" } {
  const contentType = normalizedType(text);
  const family = Object.hasOwn(uploadTypes, contentType) ? uploadTypes[contentType] : undefined;
  if (family) return { contentType, family };
  const choices = Object.keys(uploadTypes).join(", ");
  throw new ApiError("unsupported_content_type", `content_type must be one of ${choices}.`, {
    param: "content_type",
  });
}
