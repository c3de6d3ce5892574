import { createCanvas } from "@napi-rs/canvas";
import type { JobContext } from "../child/job-context.ts";
import type { VideoTask } from "../jobs/spec.ts";
import { framesPerSecond } from "../limits.ts";
import { paletteOf } from "../scene/palette.ts";
import { readWish } from "../scene/words.ts";
import { randomFrom } from "../seed.ts";
import type { Probed } from "./media.ts";
import type { Grade, Sheet } from "./movie.ts";
import { rasterOf } from "./raster.ts";
import { even, type Frame } from "./size.ts";

/** The clip, its colours changed by the prompt behind a line that moves across it once. */
export async function wipeSheets(
  job: JobContext,
  task: VideoTask,
  frame: Frame,
  clip: Probed,
): Promise<Sheet[]> {
  const width = even(Math.max(2, frame.width / 320));
  const line = createCanvas(width, frame.height);
  const context = line.getContext("2d");
  context.fillStyle = "rgba(255,255,255,0.92)";
  context.fillRect(0, 0, width, frame.height);
  const frames = Math.round(frame.seconds * framesPerSecond);
  return [
    { kind: "wipe", clip, grade: gradeOf(task), width: frame.width, height: frame.height, x: "0", y: "0" },
    { kind: "still", raster: await rasterOf(job, "line", line), x: `W*n/${frames}-${width / 2}`, y: "0" },
  ];
}

/** The prompt's colours as colour shifts of a picture; the seed makes them a little stronger or weaker. */
function gradeOf(task: VideoTask): Grade {
  const wish = readWish(task.prompt);
  const [red, green, blue] = paletteOf(wish).skyLow;
  const middle = (red + green + blue) / 3;
  const strength = randomFrom(`grade ${task.seed}`).between(0.32, 0.48);
  const shift = (channel: number) =>
    round(Math.max(-0.9, Math.min(0.9, ((channel - middle) / 128) * strength)));
  const dark = wish.time === "night" || wish.weather.storm;
  return {
    red: shift(red),
    green: shift(green),
    blue: shift(blue),
    saturation: wish.weather.fog || wish.weather.rain ? 0.7 : 1.25,
    brightness: dark ? -0.14 : wish.time === "day" ? 0.05 : 0,
  };
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
