import { createCanvas, type SKRSContext2D } from "@napi-rs/canvas";
import { even, type Frame, type JobContext, type VideoTask } from "../jobs/spec.ts";
import { framesPerSecond } from "../limits.ts";
import { canvasOf } from "../picture/canvas.ts";
import { drawNumber, drawPrint } from "../picture/caption.ts";
import { css, hsl } from "../scene/color.ts";
import { unitOf } from "../scene/draw.ts";
import type { Layer } from "../scene/layer.ts";
import { composeScene } from "../scene/scene.ts";
import { randomFrom } from "../seed.ts";
import type { Probed } from "./media.ts";
import { partRaster, pictureRaster, rasterOf, type Sheet } from "./movie.ts";

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

const enterFrames = 10;

const betweenSeconds = 0.35;

const firstSeconds = 0.4;

/** Reference pictures as numbered prints and reference videos as small screens, coming in from the right one by one. */
export async function cardSheets(job: JobContext, frame: Frame, items: Probed[]): Promise<Sheet[]> {
  const rows = items.length > 6 ? 5 : 3;
  const cell = Math.min(
    frame.height / (rows + 1.2),
    frame.width / (Math.ceil(items.length / rows) * 1.3 + 1.6),
  );
  const gap = cell * 0.12;
  const sheets: Sheet[] = [];
  for (const [index, item] of items.entries()) {
    const place = {
      right: frame.width - gap - Math.floor(index / rows) * cell * 1.3,
      top: gap + (index % rows) * cell,
      side: cell - gap * 1.6,
      number: String(index + 1),
      start: Math.round((firstSeconds + index * betweenSeconds) * framesPerSecond),
    };
    sheets.push(...(item.hasVideo ? await screen(job, item, place) : [await print(job, frame, item, place)]));
  }
  return sheets;
}

interface CardPlace {
  right: number;
  top: number;
  side: number;
  number: string;
  /** The frame in which it begins to appear. */
  start: number;
}

/** Moves from outside the frame to its place, slower towards the end. */
function slide(left: number, start: number): string {
  const part = `clip((n-${start})/${enterFrames},0,1)`;
  return `${left}+(W-${left})*pow(1-${part},3)`;
}

async function print(job: JobContext, frame: Frame, item: Probed, place: CardPlace): Promise<Sheet> {
  const side = Math.round(place.side);
  const picture = await canvasOf(job, item, { width: Math.round(side * 1.35), height: side, fit: "inside" });
  const turn = randomFrom(`card ${place.number}`).between(-0.05, 0.05);
  const x = place.right - picture.width - side * 0.08;
  const part = await partRaster(job, `card-${place.number}`, frame, (context) =>
    drawPrint(context, picture, { x, y: place.top, number: place.number, turn }),
  );
  return { kind: "still", raster: part.raster, x: slide(part.left, place.start), y: String(part.top) };
}

async function screen(job: JobContext, item: Probed, place: CardPlace): Promise<Sheet[]> {
  const ratio = item.width / item.height;
  const width = even(Math.min(place.side * 1.35, place.side * ratio));
  const height = even(width / ratio);
  const border = even(place.side * 0.03);
  const left = even(place.right - width - border * 2);
  const top = even(place.top);
  const rim = createCanvas(width + border * 2, height + border * 2);
  const context = rim.getContext("2d");
  context.fillStyle = "#f7f7f4";
  context.fillRect(0, 0, rim.width, rim.height);
  const size = Math.max(11, place.side * 0.11);
  const disc = createCanvas(Math.ceil(size * 1.4), Math.ceil(size * 1.4));
  drawNumber(disc.getContext("2d"), size * 0.2, size * 0.2, size, place.number);
  const name = `screen-${place.number}`;
  return [
    { kind: "still", raster: await rasterOf(job, name, rim), x: slide(left, place.start), y: String(top) },
    {
      kind: "clip",
      clip: item,
      fit: "cover",
      width,
      height,
      x: slide(left + border, place.start),
      y: String(top + border),
    },
    {
      kind: "still",
      raster: await rasterOf(job, `${name}-number`, disc),
      x: slide(left - Math.round(size * 0.2), place.start),
      y: String(Math.max(0, top - Math.round(size * 0.2))),
    },
  ];
}
