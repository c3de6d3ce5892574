import { byName } from "#contract/by-name.ts";
import { tableMaxBytes, tableTypes, uploadMaxBytes, uploadTypes } from "#contract/upload.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";

/** Other names that browsers and tools use for an accepted type. */
const aliases = byName<string>({
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
  "application/x-ndjson": "application/jsonl",
  "application/x-jsonlines": "application/jsonl",
});

/** The type without parameters, in its normalised spelling. */
export function normalizedType(text: string): string {
  const type = (text.split(";")[0] ?? "").trim().toLowerCase();
  return aliases[type] ?? type;
}

/** The normalised type of an upload, its family and size limit. Throws `unsupported_content_type`. */
export function acceptedType(text: string): {
  contentType: string;
  family: "image" | "audio" | "video" | "table";
  maxBytes: number;
} {
  const contentType = normalizedType(text);
  const family = Object.hasOwn(uploadTypes, contentType) ? uploadTypes[contentType] : undefined;
  if (family) return { contentType, family, maxBytes: uploadMaxBytes[family] };
  if (isTable(contentType)) return { contentType, family: "table", maxBytes: tableMaxBytes };
  const choices = [...Object.keys(uploadTypes), ...tableTypes].join(", ");
  throw new ApiError("unsupported_content_type", `content_type must be one of ${choices}.`, {
    param: "content_type",
  });
}

const tableEndings = byName<(typeof tableTypes)[number]>({
  csv: "text/csv",
  jsonl: "application/jsonl",
  ndjson: "application/jsonl",
});

/**
 * The type of a table: as declared, otherwise by its file name, because few clients know these types. Null
 * for other files.
 */
export function tableTypeOf(declared: string, filename: string | undefined): string | null {
  const type = normalizedType(declared);
  if (isTable(type)) return type;
  return tableEndings[filename?.toLowerCase().split(".").at(-1) ?? ""] ?? null;
}

/** Whether a file of this type is a table of inputs. Tables are text: their first bytes do not reveal them. */
export function isTable(contentType: string): boolean {
  return tableTypes.some((type) => type === contentType);
}
