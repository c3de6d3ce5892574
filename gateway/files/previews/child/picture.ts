import { previewSidePx } from "#contract/output-constants.ts";
import type { FfmpegBackend } from "#gateway/files/ffmpeg/detect.ts";
import { runFfmpeg } from "#gateway/files/ffmpeg/run.ts";
import { inputPixels, previewQuality } from "../job.ts";
import { sharp } from "./decoder.ts";

sharp.concurrency(1);

/** Draws the first picture of a file upright and without its metadata. Throws if it is unreadable. */
export async function drawPicture(file: string, preview: string): Promise<void> {
  await sharp(file, { limitInputPixels: inputPixels, failOn: "error" })
    .autoOrient()
    .resize({ width: previewSidePx, height: previewSidePx, fit: "inside", withoutEnlargement: true })
    .webp({ quality: previewQuality })
    .toFile(preview);
}

/** How to display a decoded video frame. */
export interface Pose {
  /** Upright, with square pixels. */
  width: number;
  height: number;
  /** Clockwise, in degrees. */
  rotation: number;
}

/** Draws a frame as its video displays it: rotated, and in its aspect ratio. */
export async function drawFrame(
  file: string,
  preview: string,
  { width, height, rotation }: Pose,
): Promise<void> {
  const scale = Math.min(1, previewSidePx / Math.max(width, height));
  const side = (pixels: number) => Math.max(1, Math.round(pixels * scale));
  await sharp(file, { limitInputPixels: inputPixels })
    .rotate(rotation)
    .resize({ width: side(width), height: side(height), fit: "fill" })
    .webp({ quality: previewQuality })
    .toFile(preview);
}

/** Draws raw pixels, RGBA. */
export async function drawRaster(
  pixels: Buffer,
  preview: string,
  size: { width: number; height: number },
): Promise<void> {
  await sharp(pixels, { raw: { ...size, channels: 4 } })
    .webp({ quality: previewQuality })
    .toFile(preview);
}

interface Decoding {
  folder: string;
  ffmpeg: FfmpegBackend;
  /** The demuxer is fixed, whatever the file pretends to be. */
  demuxer: string;
  input: string;
  /** Arguments for the output. */
  rest: string[];
  output: string;
}

/** Decodes a file of the folder with ffmpeg, which may open no other file. Throws on failure. */
export async function decode({ folder, ffmpeg, demuxer, input, rest, output }: Decoding): Promise<void> {
  if (ffmpeg.kind === "none") throw new Error("ffmpeg is not available");
  const opened = ["-protocol_whitelist", "file", "-max_pixels", String(inputPixels), "-f", demuxer];
  const { ok, log } = await runFfmpeg(ffmpeg, {
    folder,
    args: ["-hide_banner", "-loglevel", "error", "-y", ...opened, "-i", `file:${input}`, ...rest, output],
    reads: [input],
    writes: [output],
  });
  if (!ok) throw new Error(`ffmpeg: ${log.trim().slice(-300)}`);
}
