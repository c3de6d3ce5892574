import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { type Canvas, createCanvas } from "@napi-rs/canvas";
import type { SharpOptions } from "sharp";
import { sharp } from "#gateway/files/previews/child/decoder.ts";
import { badInput, paramOf } from "../failure.ts";
import { decodeArguments, runFfmpeg, userInput } from "../ffmpeg.ts";
import type { JobContext, JobOutput } from "../jobs/spec.ts";
import { inputPixels } from "../limits.ts";
import { markAscii, xmpOf } from "../mark.ts";
import type { Probed } from "../video/media.ts";

/**
 * An input picture on a canvas: upright, in the given size, without metadata. It is decoded by sharp, never by the
 * canvas.
 */
export async function canvasOf(
  job: JobContext,
  picture: Probed,
  size: { width: number; height: number; fit: "cover" | "inside" },
): Promise<Canvas> {
  const source = await loadPicture(job, picture);
  try {
    const { data, info } = await sharp(source.data, {
      ...source.options,
      limitInputPixels: inputPixels,
      failOn: "error",
      pages: 1,
    })
      .autoOrient()
      .resize(size.width, size.height, { fit: size.fit, kernel: "lanczos3" })
      .toColourspace("srgb")
      .flatten({ background: "#14161c" })
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const canvas = createCanvas(info.width, info.height);
    const context = canvas.getContext("2d");
    const image = context.createImageData(info.width, info.height);
    image.data.set(data);
    context.putImageData(image, 0, 0);
    return canvas;
  } catch {
    const param = paramOf(picture.media.path);
    throw badInput(`${param} is damaged and cannot be decoded.`, param);
  }
}

/** The bytes of an input picture in a format that sharp reads; BMP is converted by ffmpeg. */
async function loadPicture(
  job: JobContext,
  picture: Probed,
): Promise<{ data: Buffer; options: SharpOptions }> {
  const { name } = picture.media;
  if (picture.demuxer === null) return { data: await readFile(path.join(job.folder, name)), options: {} };
  const raw = `${name}.rgba`;
  const { width, height } = picture;
  await runFfmpeg(job.ffmpeg, {
    folder: job.folder,
    args: decodeArguments(userInput(name, picture.demuxer), [
      "-frames:v",
      "1",
      "-pix_fmt",
      "rgba",
      "-f",
      "rawvideo",
      raw,
    ]),
    reads: [name],
    writes: [raw],
    param: paramOf(picture.media.path),
  });
  return {
    data: await readFile(path.join(job.folder, raw)),
    options: { raw: { width, height, channels: 4 } },
  };
}

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
