import { createCanvas, type SKRSContext2D } from "@napi-rs/canvas";
import { planeNoise } from "../seed.ts";
import { black, css, hsl, mix, type Rgb } from "./color.ts";
import { ridgeLayers } from "./land.ts";
import type { Layer, Setting, Sheet } from "./layer.ts";
import { drawStars, glow } from "./sky.ts";

/** A nebula, stars, a planet, and the rim of another world below. */
export function spaceLayers(setting: Setting): Layer[] {
  const hue = setting.random.fork("hue").between(190, 330);
  const [first, second] = setting.requested.colors;
  const one = first ?? hsl(hue, 0.7, 0.5);
  const other = second ?? hsl((hue + 80) % 360, 0.75, 0.55);
  const night = mix(one, black, 0.82);
  const ground: Setting = {
    ...setting,
    palette: {
      ...setting.palette,
      horizon: mix(one, black, 0.35),
      skyLow: mix(one, black, 0.5),
      far: mix(one, black, 0.6),
      near: mix(one, black, 0.9),
    },
  };
  return [
    {
      depth: 0,
      top: 0,
      bottom: 1,
      draw: (context, sheet) => {
        context.fillStyle = css(mix(night, black, 0.6));
        context.fillRect(0, 0, sheet.width, sheet.height);
        nebula(context, sheet, setting, one, other);
        drawStars(context, sheet, setting.random.fork("stars"), 900 * setting.detail);
      },
    },
    {
      depth: 0.05,
      top: 0,
      bottom: 0.8,
      draw: (context, sheet) => planet(context, sheet, setting, one, other),
    },
    ...ridgeLayers(ground, { count: 3, from: 0.8, to: 0.95, rise: 0.07, sharp: true, trees: 0, snow: false }),
  ];
}

function nebula(context: SKRSContext2D, sheet: Sheet, setting: Setting, one: Rgb, other: Rgb): void {
  const rows = 160;
  const columns = Math.round((rows * sheet.width) / sheet.height);
  const small = createCanvas(columns, rows);
  const ink = small.getContext("2d");
  const image = ink.createImageData(columns, rows);
  const cloud = planeNoise(setting.random.fork("nebula"), 6);
  const dust = planeNoise(setting.random.fork("dust"), 4);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const x = (column / rows) * 2.4;
      const y = (row / rows) * 2.4;
      const bend = dust(x * 0.8, y * 0.8);
      const density = Math.max(0, cloud(x + bend * 1.6, y + bend) - 0.42) * 3.2;
      const color = mix(one, other, Math.min(1, Math.max(0, (bend - 0.32) * 2.8)));
      const place = (row * columns + column) * 4;
      const light = Math.min(1.25, density * (1.25 - dust(x * 2, y * 2) * 0.9));
      image.data[place] = Math.min(255, color[0] * light);
      image.data[place + 1] = Math.min(255, color[1] * light);
      image.data[place + 2] = Math.min(255, color[2] * light);
      image.data[place + 3] = 255;
    }
  ink.putImageData(image, 0, 0);
  context.save();
  context.globalCompositeOperation = "screen";
  context.imageSmoothingQuality = "high";
  context.drawImage(small, 0, 0, sheet.width, sheet.height);
  context.restore();
}

function planet(context: SKRSContext2D, sheet: Sheet, setting: Setting, one: Rgb, other: Rgb): void {
  const random = setting.random.fork("planet");
  const radius = sheet.unit * random.between(0.13, 0.22);
  const x = sheet.view.width * random.between(0.28, 0.72);
  const y = sheet.height * random.between(0.26, 0.42);
  const ringed = random.chance(0.6);
  const rings = (from: number, to: number) =>
    ringed && drawRings(context, { x, y, radius, from, to }, mix(other, [255, 240, 220], 0.5));
  glow(context, x, y, radius * 2, other, 0.35);
  rings(Math.PI, Math.PI * 2);
  context.save();
  context.beginPath();
  context.arc(x, y, radius, 0, Math.PI * 2);
  context.clip();
  const bands = 9;
  for (let band = 0; band < bands; band++) {
    context.fillStyle = css(mix(mix(one, other, random.next()), [240, 225, 205], random.between(0.1, 0.5)));
    context.fillRect(
      x - radius,
      y - radius + (band * 2 * radius) / bands,
      radius * 2,
      (radius * 2) / bands + 1,
    );
  }
  const shade = context.createRadialGradient(
    x - radius * 0.45,
    y - radius * 0.45,
    radius * 0.1,
    x,
    y,
    radius * 1.05,
  );
  shade.addColorStop(0, "rgba(255,255,255,0.18)");
  shade.addColorStop(0.45, "rgba(0,0,0,0.1)");
  shade.addColorStop(1, "rgba(0,0,0,0.88)");
  context.fillStyle = shade;
  context.fillRect(x - radius, y - radius, radius * 2, radius * 2);
  context.restore();
  rings(0, Math.PI);
}

function drawRings(
  context: SKRSContext2D,
  ring: { x: number; y: number; radius: number; from: number; to: number },
  color: Rgb,
): void {
  context.strokeStyle = css(color, 0.5);
  for (const [scale, thick] of [
    [1.55, 0.05],
    [1.75, 0.09],
  ] as const) {
    context.lineWidth = ring.radius * thick;
    context.beginPath();
    context.ellipse(
      ring.x,
      ring.y,
      ring.radius * scale,
      ring.radius * scale * 0.24,
      -0.25,
      ring.from,
      ring.to,
    );
    context.stroke();
  }
}
