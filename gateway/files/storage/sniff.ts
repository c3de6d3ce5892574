import { open } from "node:fs/promises";
import { byName } from "#contract/by-name.ts";

export type MediaFamily = "image" | "audio" | "video";

/** Bytes at a file's start that are read to detect its type. */
export const sniffBytes = 1024 * 1024;

export interface Sniffed {
  /** The content type for each media family that the file can belong to. */
  types: Partial<Record<MediaFamily, string>>;
  /** The family if the declared type does not decide. */
  family: MediaFamily;
}

const image = (type: string): Sniffed => ({ types: { image: type }, family: "image" });
const audio = (type: string): Sniffed => ({ types: { audio: type }, family: "audio" });
/** Containers with sound, with or without pictures: their first bytes do not show which. */
const mp4: Sniffed = { types: { video: "video/mp4", audio: "audio/mp4" }, family: "video" };
const m4a: Sniffed = { ...mp4, family: "audio" };
const webm: Sniffed = { types: { video: "video/webm", audio: "audio/webm" }, family: "video" };
const quicktime: Sniffed = { types: { video: "video/quicktime" }, family: "video" };

/** All accepted types, by the detector's name; never svg or html. */
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

/** The first bytes of accepted types. */
const beginnings = ["\xff\xd8\xff", "\x89PNG", "GIF", "BM", "RIFF", "OggS", "fLaC", "\x1aE\xdf\xa3"];
/** The first boxes of MP4 and QuickTime files; four bytes with the box's size come before the name. */
const firstBoxes = ["ftyp", "free", "mdat", "moov", "wide"];
/** Larger box sizes begin with a byte that archives also begin with: 0x1f of gzip, 0x50 of ZIP. */
const maxBoxBytes = 0x1f_00_00_00;
/** A file with more tags before its sound is not accepted: no genuine file has so many. */
const maxTags = 8;
const tagHeaderBytes = 10;

/**
 * A file's type, from its first bytes; null if it is not accepted. The declared type is ignored. The library
 * gets only files that begin like an accepted type, because it unpacks archives, which blocks all other
 * requests.
 */
export async function sniff(start: Uint8Array): Promise<Sniffed | null> {
  const bytes = Buffer.from(start.buffer, start.byteOffset, start.byteLength);
  let at = 0;
  for (let tags = 0; isTag(bytes, at); tags += 1) {
    at += tagHeaderBytes + tagBytes(bytes, at);
    if (at > bytes.length) return accepted["audio/mpeg"] ?? null;
    if (tags >= maxTags) return null;
  }
  const content = bytes.subarray(at);
  if (!beginsAsAccepted(content)) return null;
  const { fileTypeFromBuffer } = await import("file-type");
  const found = await fileTypeFromBuffer(content).catch(() => undefined);
  const type = found?.mime.split(";")[0] ?? "";
  return accepted[type] ?? null;
}

function beginsAsAccepted(bytes: Buffer): boolean {
  if (bytes.length < tagHeaderBytes) return false;
  const first = bytes.toString("latin1", 0, 8);
  if (beginnings.some((beginning) => first.startsWith(beginning))) return true;
  if (firstBoxes.includes(first.slice(4)) && bytes.readUInt32BE(0) < maxBoxBytes) return true;
  // An MPEG audio frame.
  return bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0;
}

/** Whether an ID3 tag begins at this position; a sound of any type can begin with tags. */
function isTag(bytes: Buffer, at: number): boolean {
  return bytes.toString("latin1", at, at + 3) === "ID3" && bytes.length >= at + tagHeaderBytes;
}

/** The size of a tag's content: four bytes with seven bits each. */
function tagBytes(bytes: Buffer, at: number): number {
  return [6, 7, 8, 9].reduce((size, place) => size * 128 + ((bytes[at + place] ?? 0) & 0x7f), 0);
}

export async function sniffFile(file: string): Promise<Sniffed | null> {
  const handle = await open(file);
  const { buffer, bytesRead } = await handle
    .read(Buffer.alloc(sniffBytes), 0, sniffBytes)
    .finally(() => handle.close());
  return sniff(buffer.subarray(0, bytesRead));
}

/** Whether the bytes have the type that `contentType` declares. */
export function isOfType(sniffed: Sniffed | null, contentType: string): boolean {
  return sniffed !== null && Object.values(sniffed.types).includes(contentType);
}
