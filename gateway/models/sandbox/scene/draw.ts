import { type Canvas, createCanvas } from "@napi-rs/canvas";
import { addGrain, addVignette } from "./finish.ts";
import type { Sheet } from "./layer.ts";
import { composeScene } from "./scene.ts";

/** The unit of all details, so that a tall and a wide picture have trees of similar size. */
export function unitOf(width: number, height: number): number {
  return Math.min(Math.sqrt(width * height), Math.min(width, height) * 1.35);
}

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
