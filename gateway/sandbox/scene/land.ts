import type { SKRSContext2D } from "@napi-rs/canvas";
import { lineNoise, type Random, ridgeNoise } from "../seed.ts";
import { css, mix, type Rgb, white } from "./color.ts";
import type { Layer, Setting, Sheet } from "./layer.ts";

export interface Ridge {
  /** The position of its middle line, as a fraction of the picture's height. */
  base: number;
  /** Its amplitude, as a fraction of the picture's height. */
  rise: number;
  /** The number of hills across the width of one view. */
  hills: number;
  roughness: number;
  octaves: number;
  color: Rgb;
  /** The colour that its foot fades to: the haze in the valley behind the next ridge. */
  haze: Rgb;
  hazeAmount: number;
  sharp: boolean;
}

/** The outline of a ridge: y for each x of the sheet, in pixels. */
export function outlineOf(ridge: Ridge, random: Random, sheet: Sheet): (x: number) => number {
  const noise = ridgeNoise(random, ridge.octaves, ridge.roughness);
  return (x) => {
    const place =
      (x / sheet.view.width) * ridge.hills * Math.max(0.7, sheet.view.width / sheet.view.height / 1.5);
    const value = noise(place);
    const shaped = ridge.sharp ? 1 - 2 * Math.abs(value) ** 0.9 : value;
    return (ridge.base - shaped * ridge.rise) * sheet.height;
  };
}

/** Fills the ground below an outline; `relief` paints its slopes before the valley's haze is drawn over its foot. */
export function fillRidge(
  context: SKRSContext2D,
  sheet: Sheet,
  outline: (x: number) => number,
  ridge: Pick<Ridge, "base" | "rise" | "color" | "haze" | "hazeAmount">,
  relief?: () => void,
): void {
  const step = Math.max(1, sheet.unit / 700);
  context.save();
  context.beginPath();
  context.moveTo(0, sheet.height);
  for (let x = 0; x <= sheet.width + step; x += step) context.lineTo(x, outline(x));
  context.lineTo(sheet.width + step, sheet.height);
  context.closePath();
  context.fillStyle = css(ridge.color);
  context.fill();
  context.clip();
  relief?.();
  const crest = (ridge.base - ridge.rise) * sheet.height;
  const foot = Math.min(sheet.height * 1.04, (ridge.base + ridge.rise * 0.7 + 0.14) * sheet.height);
  const veil = context.createLinearGradient(0, crest, 0, foot);
  veil.addColorStop(0, css(ridge.haze, 0));
  veil.addColorStop(0.4, css(ridge.haze, ridge.hazeAmount * 0.22));
  veil.addColorStop(1, css(ridge.haze, ridge.hazeAmount));
  context.fillStyle = veil;
  context.fillRect(0, crest, sheet.width + step, sheet.height - crest);
  context.restore();
}

/** The look of a range of hills. */
interface Range {
  count: number;
  /** The middle lines of the farthest and the nearest ridge, as fractions of the picture's height. */
  from: number;
  to: number;
  rise: number;
  sharp: boolean;
  trees: number;
  snow: boolean;
  /** Where the nearest ridge may end because something else covers its foot. */
  until?: number;
}

interface RangeRidge extends Ridge {
  nearness: number;
  random: Random;
}

/** Ranges of hills, from far and pale to near and dark. */
export function ridgeLayers(setting: Setting, range: Range): Layer[] {
  const ridges = Array.from({ length: range.count }, (_, index) => ridgeOf(setting, range, index));
  return ridges.map((ridge, index) => {
    const next = ridges[index + 1];
    return {
      depth: 0.1 + ridge.nearness * 0.9,
      top: Math.max(0, ridge.base - ridge.rise * 1.05 - treeSize(range, ridge.nearness) * widestUnit),
      // The part of a ridge that the next one hides need not be painted.
      bottom: Math.min(1, next ? next.base + next.rise + 0.01 : (range.until ?? 1)),
      draw: (context, sheet) => drawRidge(context, sheet, setting, range, ridge),
    };
  });
}

function ridgeOf(setting: Setting, range: Range, index: number): RangeRidge {
  const { palette } = setting;
  const foggy = setting.requested.weather.fog ? 0.3 : 0;
  const nearness = range.count === 1 ? 1 : index / (range.count - 1);
  const random = setting.random.fork(`ridge ${index}`);
  const air = mix(mix(palette.horizon, palette.skyLow, 0.4), palette.far, 0.15 + nearness * 0.45);
  return {
    nearness,
    random,
    base: range.from + (range.to - range.from) * nearness ** 1.25 + random.between(-0.012, 0.012),
    rise: range.rise * (1 - nearness * 0.35) * random.between(0.85, 1.2),
    hills: random.between(1.5, 2.4) + (1 - nearness) * 0.8,
    roughness: range.sharp ? 0.5 - nearness * 0.06 : 0.38,
    octaves: range.sharp ? 8 : 6,
    color: mix(mix(air, palette.far, 0.6), palette.near, nearness ** 0.95 * (1 - foggy * 0.4) * 0.97),
    haze: air,
    hazeAmount: Math.min(0.95, 0.8 * (1 - nearness * 0.86) + foggy * (1 - nearness * 0.6)),
    sharp: range.sharp && nearness < 0.75,
  };
}

/** The sheet's unit is at most this many times the picture's height. */
const widestUnit = 1.35 * 1.2;

/** The height of the tallest tree on a ridge, in units. */
function treeSize(range: Range, nearness: number): number {
  return 0.075 * range.trees * (0.25 + nearness ** 2);
}

function drawRidge(
  context: SKRSContext2D,
  sheet: Sheet,
  setting: Setting,
  range: Range,
  ridge: RangeRidge,
): void {
  const { palette } = setting;
  const { nearness, random } = ridge;
  const outline = outlineOf(ridge, random, sheet);
  if (range.trees > 0 && nearness > 0.3)
    treeLine(context, sheet, outline, random.fork("trees"), {
      color: ridge.color,
      size: sheet.unit * treeSize(range, nearness),
      density: setting.detail * range.trees,
    });
  fillRidge(context, sheet, outline, ridge, () => {
    if (!range.sharp || nearness > 0.7) return;
    const slopes = {
      lightX: setting.light.x,
      light: palette.light,
      dark: palette.near,
      strength: 0.5 - nearness * 0.2,
    };
    const snow = { ...slopes, top: ridge.base - ridge.rise, line: ridge.base - ridge.rise * 0.28 };
    if (range.snow && nearness < 0.5) snowCaps(context, sheet, outline, snow, random.fork("snow"));
    const relief = { ...slopes, reach: ridge.rise * 0.9, smooth: 0.012 };
    shadeSlopes(context, sheet, outline, relief, random.fork("slopes"));
  });
}

/** Mountains behind wooded hills. */
export function mountainLayers(setting: Setting): Layer[] {
  return ridgeLayers(setting, {
    count: Math.round(4 + 2 * setting.detail),
    from: setting.horizon - 0.02,
    to: 0.93,
    rise: 0.17,
    sharp: true,
    trees: 0.8,
    snow: setting.requested.weather.snow || setting.random.fork("caps").chance(0.45),
  });
}

/** Low misty hills full of conifers. */
export function forestLayers(setting: Setting): Layer[] {
  return ridgeLayers(setting, {
    count: Math.round(4 + 2 * setting.detail),
    from: setting.horizon - 0.04,
    to: 0.99,
    rise: 0.075,
    sharp: false,
    trees: 2.3,
    snow: false,
  });
}

/** Conifers along an outline, in clumps, drawn before the ground that hides their feet. */
function treeLine(
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

interface Slopes {
  /** The horizontal position of the sun, as a fraction of the view's width. */
  lightX: number;
  light: Rgb;
  dark: Rgb;
  /** 0: no light and shade; 1: strong on steep slopes; above 1: strong on gentle slopes too. */
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
function snowCaps(
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
