import { type Canvas, createCanvas } from "@napi-rs/canvas";
import type { JobContext } from "../child/job-context.ts";
import { canvasOf } from "../picture/canvas-of.ts";
import { drawNumber } from "../picture/prints.ts";
import type { Probed } from "./media.ts";
import type { Sheet } from "./movie.ts";
import { rasterOf } from "./raster.ts";
import { even, type Frame } from "./size.ts";

/** The still picture, drifting a little, beside the video that would have driven it. */
export async function besideSheets(
  job: JobContext,
  frame: Frame,
  picture: Probed,
  clip: Probed,
): Promise<Sheet[]> {
  const gap = Math.round(frame.width * 0.025);
  const half = even((frame.width - gap * 3) / 2);
  const tall = even(frame.height * 0.66);
  const top = even(frame.height * 0.11);
  const still = await canvasOf(job, picture, { width: half, height: tall, fit: "inside" });
  const scale = Math.min(half / clip.width, tall / clip.height);
  const screen = { width: even(clip.width * scale), height: even(clip.height * scale) };
  const stillLeft = gap + Math.round((half - still.width) / 2);
  const stillTop = top + Math.round((tall - still.height) / 2);
  const drift = Math.max(2, Math.round(frame.height / 120));
  return [
    { kind: "still", raster: await wall(job, frame), x: "0", y: "0" },
    {
      kind: "clip",
      clip,
      fit: "stretch",
      ...screen,
      x: String(gap * 2 + half + Math.round((half - screen.width) / 2)),
      y: String(top + Math.round((tall - screen.height) / 2)),
    },
    {
      kind: "still",
      raster: await rasterOf(job, "still", numbered(still)),
      x: `${stillLeft}+round(${drift}*sin(n/14))`,
      y: `${stillTop}+round(${drift}*cos(n/17))`,
    },
  ];
}

function numbered(still: Canvas): Canvas {
  drawNumber(
    still.getContext("2d"),
    still.width * 0.025,
    still.width * 0.025,
    Math.max(12, still.width * 0.05),
    "1",
  );
  return still;
}

async function wall(job: JobContext, frame: Frame) {
  const canvas = createCanvas(frame.width, frame.height);
  const context = canvas.getContext("2d");
  const light = context.createRadialGradient(
    frame.width / 2,
    frame.height * 0.35,
    0,
    frame.width / 2,
    frame.height / 2,
    frame.width * 0.7,
  );
  light.addColorStop(0, "#2b3140");
  light.addColorStop(1, "#0d1017");
  context.fillStyle = light;
  context.fillRect(0, 0, frame.width, frame.height);
  return rasterOf(job, "wall", canvas);
}
