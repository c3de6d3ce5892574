import { type FileHandle, open } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import type { MediaFamily } from "#gateway/files/storage/sniff.ts";

/** Time and memory limits for measuring a clip: an upstream's file may be large, or crafted to be slow. */
const clipTimeoutMs = 20_000;
const clipHeapMegabytes = 256;

export interface Measured {
  width?: number;
  height?: number;
  /** Seconds. */
  duration?: number;
}

/**
 * Dimensions and length of a media file, read from its bytes; empty if that fails or exceeds the limits of
 * time and memory.
 */
export async function measureFile(
  file: string,
  family: MediaFamily,
  timeoutMs = clipTimeoutMs,
): Promise<Measured> {
  try {
    return family === "image" ? ((await pictureSize(file)) ?? {}) : await measureClip(file, timeoutMs);
  } catch {
    return {};
  }
}

/** In its own thread, so that a malicious file cannot block the gateway. */
async function measureClip(file: string, timeoutMs: number): Promise<Measured> {
  const worker = new Worker(new URL("./measure-clip.ts", import.meta.url), {
    workerData: file,
    resourceLimits: { maxOldGenerationSizeMb: clipHeapMegabytes },
    env: {},
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  const { promise, resolve, reject } = Promise.withResolvers<Measured>();
  const timer = setTimeout(() => reject(new Error("The clip was not measured in time")), timeoutMs);
  worker.once("message", resolve).once("error", reject);
  worker.once("exit", () => reject(new Error("The clip could not be measured")));
  return promise.finally(() => {
    clearTimeout(timer);
    return worker.terminate();
  });
}

/** The displayed size, after EXIF orientation. */
interface PictureSize {
  width: number;
  height: number;
}

/**
 * A JPEG has some twenty segments before its size, and a WebP a few chunks; a file with more is not measured.
 */
const maxParts = 200;
const maxExifBytes = 65_536;
/** A larger size is not believed: the header is damaged, or this is no picture for practical use. */
const maxPixels = 200_000_000;
/** Orientations from this one on swap width and height. */
const firstSideways = 5;
const orientationTag = 0x0112;

/**
 * The size of a PNG, JPEG, WebP or GIF from its header, with a few short reads: this process decodes no
 * image. Null for another file, or a damaged one.
 */
export async function pictureSize(file: string): Promise<PictureSize | null> {
  const handle = await open(file);
  try {
    const start = await bytesAt(handle, 0, 24);
    const size = await sizeOf(handle, start);
    const { width, height } = size ?? { width: 0, height: 0 };
    return width > 0 && height > 0 && width * height <= maxPixels ? size : null;
  } catch (error) {
    if (error instanceof RangeError) return null; // The file ends before its header is complete.
    throw error;
  } finally {
    await handle.close();
  }
}

async function sizeOf(handle: FileHandle, start: Buffer): Promise<PictureSize | null> {
  const name = start.toString("latin1");
  if (name.startsWith("\x89PNG")) return pngSize(handle, start);
  if (name.startsWith("GIF8")) return { width: start.readUInt16LE(6), height: start.readUInt16LE(8) };
  if (name.startsWith("\xff\xd8")) return jpegSize(handle);
  if (name.startsWith("RIFF") && name.startsWith("WEBP", 8)) return webpSize(handle);
  return null;
}

async function pngSize(handle: FileHandle, start: Buffer): Promise<PictureSize> {
  const size = { width: start.readUInt32BE(16), height: start.readUInt32BE(20) };
  for (let at = 8, part = 0; part < maxParts; part += 1) {
    const head = await bytesAt(handle, at, 8);
    if (head.length < 8) break;
    const bytes = head.readUInt32BE(0);
    const kind = head.toString("latin1", 4);
    if (kind === "eXIf") return turned(size, await bytesAt(handle, at + 8, Math.min(bytes, maxExifBytes)));
    if (kind === "IDAT") break;
    at += 12 + bytes;
  }
  return size;
}

async function jpegSize(handle: FileHandle): Promise<PictureSize | null> {
  let exif: Buffer = Buffer.alloc(0);
  for (let at = 2, part = 0; part < maxParts; part += 1) {
    const head = await bytesAt(handle, at, 10);
    const [mark, kind = 0] = head;
    if (mark !== 0xff) return null;
    if (kind === 0xff) {
      at += 1; // Skips a fill byte, which has no meaning.
      continue;
    }
    const bytes = head.readUInt16BE(2);
    if (isFrame(kind)) return turned({ width: head.readUInt16BE(7), height: head.readUInt16BE(5) }, exif);
    if (kind === 0xe1 && head.toString("latin1", 4) === "Exif\0\0")
      exif = await bytesAt(handle, at + 10, Math.max(0, bytes - 8));
    at += 2 + bytes;
  }
  return null;
}

/** Whether a marker begins a frame: 0xc0 to 0xcf do, except three that have another meaning. */
function isFrame(kind: number): boolean {
  return kind >= 0xc0 && kind <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(kind);
}

async function webpSize(handle: FileHandle): Promise<PictureSize | null> {
  let size: PictureSize | null = null;
  for (let at = 12, part = 0; part < maxParts; part += 1) {
    const head = await bytesAt(handle, at, 18);
    if (head.length < 8) break;
    const kind = head.toString("latin1", 0, 4);
    const bytes = head.readUInt32LE(4);
    // The extended form has its size at the start and its orientation after the picture.
    if (kind === "VP8 " && !size)
      return { width: head.readUInt16LE(14) & 0x3fff, height: head.readUInt16LE(16) & 0x3fff };
    if (kind === "VP8L" && !size) {
      const packed = head.readUInt32LE(9);
      return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
    }
    if (kind === "VP8X") size = { width: head.readUIntLE(12, 3) + 1, height: head.readUIntLE(15, 3) + 1 };
    if (kind === "EXIF" && size)
      return turned(size, await bytesAt(handle, at + 8, Math.min(bytes, maxExifBytes)));
    at += 8 + bytes + (bytes % 2);
  }
  return size;
}

function turned({ width, height }: PictureSize, exif: Buffer): PictureSize {
  return orientationOf(exif) >= firstSideways ? { width: height, height: width } : { width, height };
}

/** The orientation in EXIF data, with or without the `Exif` prefix; 0 if it has none. */
function orientationOf(exif: Buffer): number {
  const tiff = exif.toString("latin1", 0, 6) === "Exif\0\0" ? exif.subarray(6) : exif;
  const order = tiff.toString("latin1", 0, 2);
  if (tiff.length < 8 || (order !== "II" && order !== "MM")) return 0;
  const word = (at: number) => (order === "II" ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const first = order === "II" ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (first + 2 > tiff.length) return 0;
  for (let entry = 0; entry < word(first); entry += 1) {
    const at = first + 2 + entry * 12;
    if (at + 12 > tiff.length) return 0;
    if (word(at) === orientationTag) return word(at + 8);
  }
  return 0;
}

/** The bytes at a position; fewer at the end of the file. */
async function bytesAt(handle: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}
