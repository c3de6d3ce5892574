const extensions: Record<string, string> = {
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
};

/** A `Content-Disposition` that makes browsers save the file and never show it as a page (RFC 6266, RFC 8187). */
export function attachment(filename: string): string {
  const plain = filename.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const extended = encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${extended}`;
}

/** A default file name for an object: the last parts of its key, with the extension of its type. */
export function filenameOf(key: string, contentType: string): string {
  const name = key.split("/").slice(-2).join("-");
  const extension = extensions[contentType];
  return !extension || name.endsWith(`.${extension}`) ? name : `${name}.${extension}`;
}
