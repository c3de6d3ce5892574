import { hasIdForm } from "../resources.ts";

/** The file that a media field refers to. */
export type MediaValue =
  | { source: "upload"; id: string }
  | { source: "data"; contentType: string; sizeBytes: number }
  /**
   * A file of this gateway behind a signed URL, such as a stored input. May be plain http, like the gateway.
   */
  | { source: "stored"; url: string; key: string }
  | { source: "url"; url: string }
  | { source: "other"; text: string };

/** `baseUrl` is the gateway's public address, which ends with `/v1`. */
export function mediaValueOf(text: string, baseUrl: string): MediaValue {
  const id = text.startsWith("upload://") ? text.slice("upload://".length) : text;
  if (hasIdForm("upl", id)) return { source: "upload", id };
  const data = /^data:([^;,]*)[^,]*,(.*)$/s.exec(text);
  if (data) {
    const base64 = data[2] ?? "";
    return {
      source: "data",
      contentType: data[1] || "text/plain",
      sizeBytes: Math.floor((base64.replace(/=+$/, "").length * 3) / 4),
    };
  }
  const files = `${baseUrl}/files/`;
  if (text.startsWith(files) && URL.canParse(text))
    return { source: "stored", url: text, key: text.slice(files.length).split("?", 1)[0] ?? "" };
  return URL.canParse(text) && text.startsWith("https://")
    ? { source: "url", url: text }
    : { source: "other", text };
}

/** The family of a media text, if the text shows the family. */
export function familyOf(text: string): "image" | "audio" | "video" | null {
  const type = /^data:(image|audio|video)\//.exec(text)?.[1];
  if (type) return type as "image" | "audio" | "video";
  const extension = /\.([a-z0-9]+)(?:$|[?#])/i.exec(text)?.[1]?.toLowerCase() ?? "";
  if (/^(jpe?g|png|webp|gif|bmp)$/.test(extension)) return "image";
  if (/^(wav|mp3|m4a|ogg|flac|oga)$/.test(extension)) return "audio";
  return /^(mp4|mov|webm)$/.test(extension) ? "video" : null;
}
