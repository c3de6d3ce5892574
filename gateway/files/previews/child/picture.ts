import { previewSidePx } from "#contract/output-constants.ts";
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
