import type { SKRSContext2D } from "@napi-rs/canvas";
import type { Random } from "../seed.ts";
import { css, type Rgb } from "./color.ts";
import type { Sheet } from "./layer.ts";
import { lineNoise } from "./noise.ts";

/** Conifers along an outline, in clumps, drawn before the ground that hides their feet. */
export function treeLine(
  context: SKRSContext2D,
  sheet: Sheet,
  outline: (x: number) => number,
  random: Random,
  trees: { color: Rgb; size: number; density: number },
): void {
  if (trees.size < 2) return;
  const clumps = lineNoise(random.fork("clumps"));
  const spacing = (trees.size * 0.22) / Math.max(0.35, Math.min(1.5, trees.density));
  context.fillStyle = css(trees.color);
  for (let x = -trees.size; x < sheet.width + trees.size; x += spacing * random.between(0.5, 1.5)) {
    const clump = clumps((x / sheet.unit) * 5);
    if (clump < random.between(-0.9, -0.1)) continue;
    const height = trees.size * random.between(0.55, 1) * (0.75 + Math.max(0, clump) * 0.45);
    conifer(context, x, outline(x) + height * 0.06, height, random);
  }
}

/** One conifer: branches that widen downwards, each side a little different. */
function conifer(context: SKRSContext2D, x: number, foot: number, height: number, random: Random): void {
  const tiers = height > 60 ? 13 : height > 24 ? 9 : 5;
  const half = height * random.between(0.15, 0.21);
  const right: [number, number][] = [];
  const left: [number, number][] = [];
  for (let tier = 1; tier <= tiers; tier++) {
    const part = tier / tiers;
    const y = foot - height * (1 - part * 0.97);
    right.push([x + half * part * random.between(0.75, 1.15), y]);
    right.push([x + half * part * random.between(0.35, 0.55), y - height * 0.012]);
    left.push([x - half * part * random.between(0.75, 1.15), y]);
    left.push([x - half * part * random.between(0.35, 0.55), y - height * 0.012]);
  }
  context.beginPath();
  context.moveTo(x, foot - height);
  for (const [px, py] of right) context.lineTo(px, py);
  context.lineTo(x + height * 0.015, foot);
  context.lineTo(x - height * 0.015, foot);
  for (const [px, py] of left.reverse()) context.lineTo(px, py);
  context.closePath();
  context.fill();
}
