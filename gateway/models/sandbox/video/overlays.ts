import { createCanvas } from "@napi-rs/canvas";
import type { JobContext } from "../child/job-context.ts";
import type { Caption } from "../jobs/spec.ts";
import { framesPerSecond } from "../limits.ts";
import { drawCaption, drawPill } from "../picture/caption.ts";
import type { Sheet } from "./movie.ts";
import { partRaster, rasterOf } from "./raster.ts";
import { even, type Frame } from "./size.ts";

/** The mark, the card and the progress bar, in front of everything else. */
export async function overlaySheets(
  job: JobContext,
  frame: Frame,
  caption: Caption,
  options: { opaque: boolean; progress: boolean },
): Promise<Sheet[]> {
  const { width, height } = frame;
  const pill = await partRaster(job, "pill", frame, (context) =>
    drawPill(context, width, height, options.opaque),
  );
  const card = await partRaster(job, "card", frame, (context) =>
    drawCaption(context, width, height, caption, options.opaque),
  );
  return [
    { kind: "still", raster: card.raster, x: String(card.left), y: String(card.top) },
    { kind: "still", raster: pill.raster, x: String(pill.left), y: String(pill.top) },
    ...(options.progress ? [await progressSheet(job, frame)] : []),
  ];
}

async function progressSheet(job: JobContext, frame: Frame): Promise<Sheet> {
  const height = even(Math.max(3, frame.height / 180));
  const canvas = createCanvas(frame.width, height);
  const context = canvas.getContext("2d");
  const fill = context.createLinearGradient(0, 0, frame.width, 0);
  fill.addColorStop(0, "rgba(255,176,32,0.35)");
  fill.addColorStop(1, "rgba(255,176,32,0.95)");
  context.fillStyle = fill;
  context.fillRect(0, 0, frame.width, height);
  const frames = Math.round(frame.seconds * framesPerSecond);
  return {
    kind: "still",
    raster: await rasterOf(job, "bar", canvas),
    x: `-W+W*(n+1)/${frames}`,
    y: String(frame.height - height),
  };
}
