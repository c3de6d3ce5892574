import { createCanvas, type SKRSContext2D } from "@napi-rs/canvas";
import { randomFrom } from "../seed.ts";

const tileSize = 256;

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
  context.fillStyle = context.createPattern(tile, "repeat");
  context.fillRect(0, 0, width, height);
  context.restore();
}

/** Darkens the corners a little. */
export function addVignette(context: SKRSContext2D, width: number, height: number): void {
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
