import { type Canvas, createCanvas } from "@napi-rs/canvas";
import sharp from "sharp";
import type { JobContext } from "../child/job-context.ts";
import { badInput, paramOf } from "../failure.ts";
import { inputPixels } from "../limits.ts";
import type { Probed } from "../video/media.ts";
import { loadPicture } from "./load.ts";

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
