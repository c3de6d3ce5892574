import { createCanvas, type SKRSContext2D } from "@napi-rs/canvas";
import type { JobContext } from "../child/job-context.ts";
import type { VideoTask } from "../jobs/spec.ts";
import { framesPerSecond } from "../limits.ts";
import { css, hsl } from "../scene/color.ts";
import { unitOf } from "../scene/draw.ts";
import type { Layer } from "../scene/layer.ts";
import { composeScene } from "../scene/scene.ts";
import type { Probed } from "./media.ts";
import type { Sheet } from "./movie.ts";
import { pictureRaster, rasterOf } from "./raster.ts";
import type { Frame } from "./size.ts";

/**
 * The scene of a prompt as sheets that move at a speed that fits their distance. Adjacent layers of the same
 * speed share a sheet, because each sheet is laid over every frame of the film.
 */
export async function sceneSheets(
  job: JobContext,
  frame: Frame,
  prompt: string,
  seed: number,
): Promise<Sheet[]> {
  const { layers } = composeScene(prompt, seed);
  const unit = unitOf(frame.width, frame.height);
  const groups = sameSpeedGroups(layers, frame);
  const sheets: Sheet[] = [];
  for (const [index, { speed, members }] of groups.entries()) {
    const travel = Math.ceil(speed * frame.seconds * framesPerSecond);
    const highest = Math.min(...members.map((layer) => layer.top));
    const lowest = Math.max(...members.map((layer) => layer.bottom));
    const top = Math.floor((Math.max(0, highest) * frame.height) / 2) * 2;
    const bottom = Math.ceil(Math.min(1, lowest) * frame.height);
    const canvas = createCanvas(frame.width + travel, Math.max(2, bottom - top));
    const context = canvas.getContext("2d");
    context.translate(0, -top);
    for (const layer of members) {
      context.save();
      layer.draw(context, { width: canvas.width, height: frame.height, view: frame, unit });
      context.restore();
    }
    sheets.push({
      kind: "still",
      raster: await rasterOf(job, `layer-${index}`, canvas),
      x: speed === 0 ? "0" : `-2*trunc(n*${speed / 2})`,
      y: String(top),
    });
    await job.progress(2 + (10 * index) / groups.length);
  }
  return sheets;
}

function sameSpeedGroups(layers: Layer[], frame: Frame): { speed: number; members: Layer[] }[] {
  const groups: { speed: number; members: Layer[] }[] = [];
  for (const layer of layers) {
    const speed = speedOf(layer, frame);
    const last = groups.at(-1);
    if (last?.speed === speed) last.members.push(layer);
    else groups.push({ speed, members: [layer] });
  }
  return groups;
}

/** Pixels per frame: an even number, so that edges do not tremble. Only far, soft sheets move more slowly. */
function speedOf(layer: Layer, frame: Frame): number {
  if (layer.depth < 0.04) return 0;
  const frames = frame.seconds * framesPerSecond;
  const fastest = Math.min((frame.width / 1280) * 4, (frame.width * 1.1) / frames);
  const speed = layer.depth ** 1.3 * fastest;
  if (speed < 1.5) return speed < 0.75 ? 0.5 : 1;
  return Math.round(speed / 2) * 2;
}

/** An input picture that fills the frame while the view moves slowly across it. */
export async function panSheet(
  job: JobContext,
  frame: Frame,
  picture: Probed,
  options: {
    name: string;
    backwards: boolean;
    fadeIn?: { seconds: number; at: number };
    tints?: VideoTask["tints"];
  },
): Promise<Sheet> {
  const frames = frame.seconds * framesPerSecond;
  const across = picture.width / picture.height >= frame.width / frame.height;
  const side = across ? frame.width : frame.height;
  const speed = Math.max(0.5, Math.round((side * 0.14) / frames));
  const travel = Math.min(Math.ceil(speed * frames), Math.round(side * 0.4));
  const size = {
    width: frame.width + (across ? travel : 0),
    height: frame.height + (across ? 0 : travel),
  };
  const way = `min(${travel},trunc(n*${speed}))`;
  const path = options.backwards ? `${travel}-${way}` : way;
  return {
    kind: "still",
    raster: await pictureRaster(job, options.name, picture, size, (context) =>
      tint(context, size, options.tints ?? []),
    ),
    x: "0",
    y: "0",
    view: { x: across ? path : "0", y: across ? "0" : path },
    ...(options.fadeIn ? { fadeIn: options.fadeIn } : {}),
  };
}

/** One layer of colour per tint, in broad slanted bands so that several can be told apart. */
function tint(
  context: SKRSContext2D,
  size: { width: number; height: number },
  tints: VideoTask["tints"],
): void {
  context.save();
  tints.forEach(({ hue, strength }, index) => {
    const from = (index / tints.length) * size.width;
    const to = from + size.width / tints.length;
    const fill = context.createLinearGradient(
      from - size.width * 0.25,
      0,
      to + size.width * 0.25,
      size.height * 0.3,
    );
    fill.addColorStop(0, css(hsl(hue, 0.9, 0.55), 0));
    fill.addColorStop(0.5, css(hsl(hue, 0.9, 0.55), Math.min(1, strength)));
    fill.addColorStop(1, css(hsl(hue, 0.9, 0.55), 0));
    context.globalCompositeOperation = "soft-light";
    context.fillStyle = fill;
    context.fillRect(0, 0, size.width, size.height);
    context.globalCompositeOperation = "color";
    context.globalAlpha = 0.3;
    context.fillRect(0, 0, size.width, size.height);
    context.globalAlpha = 1;
  });
  context.restore();
}
