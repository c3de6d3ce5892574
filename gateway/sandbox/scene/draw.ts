import { type Canvas, createCanvas, type SKRSContext2D } from "@napi-rs/canvas";
import { randomFrom } from "../seed.ts";
import type { Sheet } from "./layer.ts";
import { composeScene } from "./scene.ts";

/** The unit of all details, so that a tall and a wide picture have trees of similar size. */
export function unitOf(width: number, height: number): number {
  return Math.min(Math.sqrt(width * height), Math.min(width, height) * 1.35);
}

const tileSize = 256;

/** Draws the whole scene of a prompt on one canvas. The same words, seed and size give the same pixels. */
export function drawScene(
  prompt: string,
  seed: number,
  width: number,
  height: number,
  detail: number,
): Canvas {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext("2d");
  const { layers } = composeScene(prompt, seed, detail);
  const sheet: Sheet = { width, height, view: { width, height }, unit: unitOf(width, height) };
  for (const layer of layers) {
    context.save();
    layer.draw(context, sheet);
    context.restore();
  }
  addVignette(context, width, height);
  addGrain(context, width, height, seed, 0.05 + 0.035 * detail);
  return canvas;
}

/** Film grain, which also hides the banding of smooth skies. Strength 0..1. */
export function addGrain(
  context: SKRSContext2D,
  width: number,
  height: number,
  seed: number,
  strength: number,
): void {
  const random = randomFrom(`grain ${seed}`);
  const tile = createCanvas(tileSize, tileSize);
  const ink = tile.getContext("2d");
  const image = ink.createImageData(tileSize, tileSize);
  for (let place = 0; place < image.data.length; place += 4) {
    const value = 128 + (random.next() + random.next() - 1) * 127 * strength;
    image.data[place] = value;
    image.data[place + 1] = value;
    image.data[place + 2] = value;
    image.data[place + 3] = 255;
  }
  ink.putImageData(image, 0, 0);
  context.save();
  context.globalCompositeOperation = "overlay";
  context.fillStyle = context.createPattern(tile, "repeat") ?? "transparent"; // null for an empty tile
  context.fillRect(0, 0, width, height);
  context.restore();
}

/** Darkens the corners a little. */
function addVignette(context: SKRSContext2D, width: number, height: number): void {
  const radius = Math.hypot(width, height) / 2;
  const shade = context.createRadialGradient(
    width / 2,
    height * 0.48,
    radius * 0.45,
    width / 2,
    height / 2,
    radius,
  );
  shade.addColorStop(0, "rgba(0,0,0,0)");
  shade.addColorStop(1, "rgba(4,6,14,0.36)");
  context.fillStyle = shade;
  context.fillRect(0, 0, width, height);
}
