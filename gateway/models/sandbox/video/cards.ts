import { createCanvas } from "@napi-rs/canvas";
import type { JobContext } from "../child/job-context.ts";
import { framesPerSecond } from "../limits.ts";
import { canvasOf } from "../picture/canvas-of.ts";
import { drawNumber, drawPrint } from "../picture/prints.ts";
import { randomFrom } from "../seed.ts";
import type { Probed } from "./media.ts";
import type { Sheet } from "./movie.ts";
import { partRaster, rasterOf } from "./raster.ts";
import { even, type Frame } from "./size.ts";

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
