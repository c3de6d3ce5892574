import { open } from "node:fs/promises";
import { byName } from "#contract/by-name.ts";

export type MediaFamily = "image" | "audio" | "video";

/** How much of a file's start is read to detect its type. */
export const sniffBytes = 1024 * 1024;

export interface Sniffed {
  /** The normalised type of a file that is read as this family. */
  types: Partial<Record<MediaFamily, string>>;
  /** The family unless another one is requested. */
  family: MediaFamily;
}

const image = (type: string): Sniffed => ({ types: { image: type }, family: "image" });
const audio = (type: string): Sniffed => ({ types: { audio: type }, family: "audio" });
/** Containers with sound, with or without pictures: their first bytes do not say which. */
const mp4: Sniffed = { types: { video: "video/mp4", audio: "audio/mp4" }, family: "video" };
const m4a: Sniffed = { ...mp4, family: "audio" };
const webm: Sniffed = { types: { video: "video/webm", audio: "audio/webm" }, family: "video" };
const quicktime: Sniffed = { types: { video: "video/quicktime" }, family: "video" };

/** Every accepted type, by the detector's name for it; never svg or html. */
const accepted = byName<Sniffed>({
  "image/jpeg": image("image/jpeg"),
  "image/png": image("image/png"),
  "image/apng": image("image/png"),
  "image/webp": image("image/webp"),
  "image/gif": image("image/gif"),
  "image/bmp": image("image/bmp"),
  "audio/wav": audio("audio/wav"),
  "audio/vnd.wave": audio("audio/wav"),
  "audio/mpeg": audio("audio/mpeg"),
  "audio/ogg": audio("audio/ogg"),
  "audio/opus": audio("audio/ogg"),
  "audio/flac": audio("audio/flac"),
  "audio/x-flac": audio("audio/flac"),
  "audio/mp4": m4a,
  "audio/x-m4a": m4a,
  "video/mp4": mp4,
  "video/x-m4v": mp4,
  "video/webm": webm,
  "audio/webm": webm,
  "video/quicktime": quicktime,
});

/** A file's type, from its first bytes; null if it is not accepted. The declared type is ignored. */
export async function sniff(start: Uint8Array): Promise<Sniffed | null> {
  const { fileTypeFromBuffer } = await import("file-type");
  const found = await fileTypeFromBuffer(start).catch(() => undefined);
  const type = found?.mime.split(";")[0] ?? "";
  return accepted[type] ?? null;
}

export async function sniffFile(file: string): Promise<Sniffed | null> {
  const handle = await open(file);
  const { buffer, bytesRead } = await handle
    .read(Buffer.alloc(sniffBytes), 0, sniffBytes)
    .finally(() => handle.close());
  return sniff(buffer.subarray(0, bytesRead));
}

/** Whether the bytes are what `contentType` declares. */
export function isOfType(sniffed: Sniffed | null, contentType: string): boolean {
  return sniffed !== null && Object.values(sniffed.types).includes(contentType);
}
