import { byName } from "#contract/by-name.ts";

const extensions = byName<string>({
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/webp": "webp",
  "image/gif": "gif",
  "image/bmp": "bmp",
  "audio/wav": "wav",
  "audio/mpeg": "mp3",
  "audio/mp4": "m4a",
  "audio/ogg": "ogg",
  "audio/flac": "flac",
  "audio/webm": "weba",
  "video/mp4": "mp4",
  "video/quicktime": "mov",
  "video/webm": "webm",
});

/**
 * A `Content-Disposition` that makes browsers save the file instead of showing it as a page (RFC 6266, RFC
 * 8187).
 */
export function attachment(filename: string): string {
  const plain = filename.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const extended = encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${extended}`;
}

/** Further extensions that files of these types can have. */
const aliases: Record<string, readonly string[]> = {
  "image/jpeg": ["jpeg", "jpe", "jfif"],
  "image/png": ["apng"],
  "audio/wav": ["wave"],
  "audio/mp4": ["mp4", "aac"],
  "audio/ogg": ["oga", "opus"],
  "audio/webm": ["webm"],
  "video/mp4": ["m4v"],
  "video/quicktime": ["qt"],
};

/** Control characters, and marks that change the direction of text: `gpj.exe` would look like `exe.jpg`. */
export const hidden = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

/**
 * A person's file name, with an extension of the file's verified type, so that a picture is never saved as a
 * page.
 */
export function safeDownloadName(filename: string, contentType: string): string {
  const name = filename.replace(hidden, "");
  const extension = extensions[contentType];
  if (!extension) return name;
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  return [extension, ...(aliases[contentType] ?? [])].includes(ending) ? name : `${name}.${extension}`;
}

/** A default file name for an object: the last parts of its key, with the extension of its type. */
export function filenameOf(key: string, contentType: string): string {
  const name = key.split("/").slice(-2).join("-");
  const extension = extensions[contentType];
  return !extension || name.endsWith(`.${extension}`) ? name : `${name}.${extension}`;
}
