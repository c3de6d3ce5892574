import { writeFile } from "node:fs/promises";
import type { Canvas } from "@napi-rs/canvas";
import { sharp } from "#gateway/files/previews/child/decoder.ts";
import type { JobOutput } from "../jobs/spec.ts";
import { markAscii, xmpOf } from "../mark.ts";

const jpegQuality = { low: 70, medium: 82, high: 92 };

/** Writes a picture with the mark in its metadata and without the input's metadata. */
export async function encodePicture(
  canvas: Canvas,
  file: { folder: string; name: string },
  options: { format: "png" | "jpeg"; quality: "low" | "medium" | "high"; composite: boolean },
): Promise<JobOutput> {
  const { width, height } = canvas;
  const name = `${file.name}.${options.format === "png" ? "png" : "jpg"}`;
  const raw = sharp(canvas.data(), { raw: { width, height, channels: 4, premultiplied: true } })
    .removeAlpha()
    .withExif({ IFD0: { ImageDescription: markAscii, Software: "Gatehouse sandbox" } })
    .withXmp(xmpOf(options.composite));
  const encoded =
    options.format === "png"
      ? raw.png({ compressionLevel: 6 })
      : raw.jpeg({ quality: jpegQuality[options.quality], chromaSubsampling: "4:4:4" });
  await writeFile(`${file.folder}/${name}`, await encoded.toBuffer());
  return { name, contentType: `image/${options.format}`, width, height };
}

/** A part of a picture, in pixels. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}
