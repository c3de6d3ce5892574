import { hasIdForm } from "../resources.ts";
import { isObject } from "./json.ts";

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

/** Media occur at most inside lists of objects, or in parts of messages. */
const maxDepth = 6;

/** Up to `max` texts of an input that refer to files of this gateway or contain a file. */
export function mediaIn(input: unknown, baseUrl: string, max = Number.POSITIVE_INFINITY): string[] {
  const found: string[] = [];
  const look = (value: unknown, depth: number) => {
    if (found.length === max || depth > maxDepth) return;
    if (typeof value === "string") {
      const { source } = mediaValueOf(value, baseUrl);
      if (source !== "url" && source !== "other") found.push(value);
    } else if (Array.isArray(value)) for (const item of value) look(item, depth + 1);
    else if (isObject(value)) for (const item of Object.values(value)) look(item, depth + 1);
  };
  look(input, 0);
  return found;
}
