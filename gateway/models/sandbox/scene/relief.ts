import type { SKRSContext2D } from "@napi-rs/canvas";
import type { Random } from "../seed.ts";
import { css, mix, type Rgb, white } from "./color.ts";
import type { Sheet } from "./layer.ts";
import { lineNoise, ridgeNoise } from "./noise.ts";

interface Slopes {
  /** Where the sun stands, in parts of the view. */
  lightX: number;
  light: Rgb;
  dark: Rgb;
  /** 0 flat, 1 strong, above it also gentle slopes count. */
  strength: number;
}

/** Light on the slopes that face the sun and shade on the others, strip by strip, fading downwards. */
export function shadeSlopes(
  context: SKRSContext2D,
  sheet: Sheet,
  outline: (x: number) => number,
  look: Slopes & { reach: number; smooth: number },
  random: Random,
): void {
  const step = Math.max(1, Math.round(sheet.unit / 640));
  const span = Math.max(step, sheet.unit * look.smooth);
  const rough = ridgeNoise(random, 5, 0.6);
  for (let x = 0; x < sheet.width; x += step) {
    const slope = (outline(x + span) - outline(x - span)) / (2 * span);
    const side = Math.max(-1, Math.min(1, (look.lightX - (x % sheet.view.width) / sheet.view.width) * 7));
    const facing = -slope * side;
    const amount = Math.min(1, Math.abs(facing) * 1.6 * look.strength) * Math.min(1, look.strength);
    if (amount < 0.02) continue;
    const y = outline(x);
    const reach = look.reach * sheet.height * (0.45 + 0.55 * Math.abs(rough((x / sheet.unit) * 22)));
    const color = facing > 0 ? look.light : look.dark;
    const fade = context.createLinearGradient(0, y, 0, y + reach);
    fade.addColorStop(0, css(color, amount * (facing > 0 ? 0.55 : 0.8)));
    fade.addColorStop(1, css(color, 0));
    context.fillStyle = fade;
    context.fillRect(x, y - 1, step, reach + 1);
  }
}

/** Snow above a line, running down in tongues, brighter towards the sun. */
export function snowCaps(
  context: SKRSContext2D,
  sheet: Sheet,
  outline: (x: number) => number,
  look: Slopes & { top: number; line: number },
  random: Random,
): void {
  const tongues = ridgeNoise(random, 5, 0.7);
  const fall = lineNoise(random.fork("fall"));
  const step = Math.max(1, sheet.unit / 900);
  const line = look.line * sheet.height;
  context.beginPath();
  context.moveTo(0, 0);
  for (let x = 0; x <= sheet.width + step; x += step) {
    const y = outline(x);
    const room = Math.max(0, line - y);
    const part = 0.42 + 0.5 * tongues((x / sheet.unit) * 26) + 0.18 * fall((x / sheet.unit) * 60);
    context.lineTo(x, room > 0 ? y + room * Math.max(0.06, Math.min(1.1, part)) : y - 2);
  }
  context.lineTo(sheet.width + step, 0);
  context.closePath();
  const fill = context.createLinearGradient(0, look.top * sheet.height, 0, line);
  fill.addColorStop(0, css(mix(white, look.light, 0.5), 0.95));
  fill.addColorStop(1, css(mix(mix(white, look.light, 0.6), look.dark, 0.25), 0.7));
  context.fillStyle = fill;
  context.fill();
}
