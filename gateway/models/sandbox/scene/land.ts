import type { SKRSContext2D } from "@napi-rs/canvas";
import type { Random } from "../seed.ts";
import { css, mix, type Rgb } from "./color.ts";
import type { Layer, Setting, Sheet } from "./layer.ts";
import { ridgeNoise } from "./noise.ts";
import { shadeSlopes, snowCaps } from "./relief.ts";
import { treeLine } from "./trees.ts";

export interface Ridge {
  /** Height of its middle line, in parts of the height. */
  base: number;
  /** How far it goes up and down, in parts of the height. */
  rise: number;
  /** Hills over the width of one view. */
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
export interface Range {
  count: number;
  /** Middle lines of the farthest and the nearest ridge, in parts of the height. */
  from: number;
  to: number;
  rise: number;
  sharp: boolean;
  trees: number;
  snow: boolean;
  /** Where the nearest ridge may end because something covers its foot. */
  until?: number;
}

interface RangeRidge extends Ridge {
  nearness: number;
  random: Random;
}

/** Ranges of hills, from pale and far to dark and near. */
export function ridgeLayers(setting: Setting, range: Range): Layer[] {
  const ridges = Array.from({ length: range.count }, (_, index) => ridgeOf(setting, range, index));
  return ridges.map((ridge, index) => {
    const next = ridges[index + 1];
    return {
      depth: 0.1 + ridge.nearness * 0.9,
      top: Math.max(0, ridge.base - ridge.rise * 1.05 - treeSize(range, ridge.nearness) * widestUnit),
      // What the next ridge hides need not be painted.
      bottom: Math.min(1, next ? next.base + next.rise + 0.01 : (range.until ?? 1)),
      draw: (context, sheet) => drawRidge(context, sheet, setting, range, ridge),
    };
  });
}

function ridgeOf(setting: Setting, range: Range, index: number): RangeRidge {
  const { palette } = setting;
  const foggy = setting.wish.weather.fog ? 0.3 : 0;
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

/** The sheet's unit is at most this many heights. */
const widestUnit = 1.35 * 1.2;

/** The tallest tree of a ridge in units. */
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
    snow: setting.wish.weather.snow || setting.random.fork("caps").chance(0.45),
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
