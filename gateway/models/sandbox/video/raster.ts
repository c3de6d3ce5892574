import { writeFile } from "node:fs/promises";
import { type Canvas, createCanvas, type SKRSContext2D } from "@napi-rs/canvas";
import type { JobContext } from "../child/job-context.ts";
import { canvasOf } from "../picture/canvas-of.ts";
import type { Box } from "../picture/encode.ts";
import type { Probed } from "./media.ts";

/** One still of a movie, as raw RGBA in the job folder. */
export interface Raster {
  name: string;
  width: number;
  height: number;
}

/** Writes the content of a canvas. */
export async function rasterOf(job: JobContext, name: string, canvas: Canvas): Promise<Raster> {
  const { width, height } = canvas;
  const pixels = canvas.getContext("2d").getImageData(0, 0, width, height).data;
  await writeFile(`${job.folder}/${name}`, pixels);
  return { name, width, height };
}

/** Draws on a sheet as large as the frame and keeps only the part that was drawn on. */
export async function partRaster(
  job: JobContext,
  name: string,
  frame: { width: number; height: number },
  paint: (context: SKRSContext2D) => Box,
): Promise<{ raster: Raster; left: number; top: number }> {
  const sheet = createCanvas(frame.width, frame.height);
  const box = paint(sheet.getContext("2d"));
  const left = evenBelow(box.left);
  const top = evenBelow(box.top);
  const width = Math.min(frame.width - left, Math.ceil(box.width) + 5);
  const height = Math.min(frame.height - top, Math.ceil(box.height) + 5);
  const part = createCanvas(width, height);
  part.getContext("2d").drawImage(sheet, -left, -top);
  return { raster: await rasterOf(job, name, part), left, top };
}

/** An even number that leaves a margin of at least two pixels before this place. */
function evenBelow(place: number): number {
  return Math.max(0, Math.floor(place / 2) * 2 - 2);
}

/** An input picture, upright, scaled to cover the given size. */
export async function pictureRaster(
  job: JobContext,
  name: string,
  picture: Probed,
  size: { width: number; height: number },
  paint?: (context: SKRSContext2D) => void,
): Promise<Raster> {
  const canvas = await canvasOf(job, picture, { ...size, fit: "cover" });
  paint?.(canvas.getContext("2d"));
  return rasterOf(job, name, canvas);
}
