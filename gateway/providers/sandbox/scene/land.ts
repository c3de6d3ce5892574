import type { SKRSContext2D } from "@napi-rs/canvas";
import type { Random } from "../seed.ts";
import { css, mix, type Rgb, white } from "./color.ts";
import { ridgeNoise } from "./noise.ts";
import type { Layer, Setting, Sheet } from "./scene.ts";
import { treeLine } from "./trees.ts";

interface Ridge {
  /** Height of its middle line, in parts of the height. */
  base: number;
  /** How far it goes up and down, in parts of the height. */
  rise: number;
  /** Hills over the width of one view. */
  hills: number;
  roughness: number;
  octaves: number;
  color: Rgb;
  /** What its foot fades to: the haze in the valley behind the next ridge. */
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

/** Fills the ground below an outline, lit at the crest and lost in haze at the foot. */
export function fillRidge(
  context: SKRSContext2D,
  sheet: Sheet,
  outline: (x: number) => number,
  ridge: Pick<Ridge, "base" | "rise" | "color" | "haze" | "hazeAmount">,
): void {
  const step = Math.max(1, sheet.unit / 700);
  context.beginPath();
  context.moveTo(0, sheet.height);
  for (let x = 0; x <= sheet.width + step; x += step) context.lineTo(x, outline(x));
  context.lineTo(sheet.width + step, sheet.height);
  context.closePath();
  const crest = (ridge.base - ridge.rise) * sheet.height;
  const foot = Math.min(sheet.height, (ridge.base + ridge.rise * 0.6 + 0.16) * sheet.height);
  const fill = context.createLinearGradient(0, crest, 0, foot);
  fill.addColorStop(0, css(ridge.color));
  fill.addColorStop(0.4, css(mix(ridge.color, ridge.haze, ridge.hazeAmount * 0.3)));
  fill.addColorStop(1, css(mix(ridge.color, ridge.haze, ridge.hazeAmount)));
  context.fillStyle = fill;
  context.fill();
}

/** Ranges of hills, from pale and far to dark and near. */
export function ridgeLayers(
  setting: Setting,
  options: {
    count: number;
    from: number;
    to: number;
    rise: number;
    sharp: boolean;
    trees: number;
    snow: boolean;
  },
): Layer[] {
  const { palette, random } = setting;
  const foggy = setting.wish.weather.fog ? 0.3 : 0;
  return Array.from({ length: options.count }, (_, index) => {
    const nearness = options.count === 1 ? 1 : index / (options.count - 1);
    const own = random.fork(`ridge ${index}`);
    const air = mix(palette.horizon, palette.skyLow, 0.35);
    const color = mix(mix(air, palette.far, 0.55), palette.near, nearness ** 1.15 * (1 - foggy * 0.5));
    const ridge: Ridge = {
      base: options.from + (options.to - options.from) * nearness ** 1.25 + own.between(-0.012, 0.012),
      rise: options.rise * (1 - nearness * 0.35) * own.between(0.85, 1.2),
      hills: own.between(1.5, 2.4) + (1 - nearness) * 0.8,
      roughness: options.sharp ? 0.5 - nearness * 0.06 : 0.38,
      octaves: options.sharp ? 8 : 6,
      color,
      haze: air,
      hazeAmount: Math.min(1, 0.72 * (1 - nearness * 0.62) + foggy),
      sharp: options.sharp && nearness < 0.75,
    };
    const top = Math.max(0, ridge.base - ridge.rise * 1.15 - options.trees * 0.09);
    return {
      depth: 0.1 + nearness * 0.9,
      top,
      bottom: 1,
      draw: (context: SKRSContext2D, sheet: Sheet) => {
        const outline = outlineOf(ridge, own, sheet);
        const wooded = options.trees > 0 && nearness > 0.3;
        if (wooded)
          treeLine(context, sheet, outline, own.fork("trees"), {
            color,
            size: sheet.unit * 0.075 * options.trees * (0.25 + nearness ** 2),
            density: setting.detail * options.trees,
          });
        fillRidge(context, sheet, outline, ridge);
        if (options.snow && nearness < 0.6) snowCaps(context, sheet, outline, ridge, own.fork("snow"));
      },
    };
  });
}

/** Snow lies above a line and runs down in tongues. */
function snowCaps(
  context: SKRSContext2D,
  sheet: Sheet,
  outline: (x: number) => number,
  ridge: Ridge,
  random: Random,
): void {
  const edge = ridgeNoise(random, 6, 0.62);
  const step = Math.max(1, sheet.unit / 700);
  const line = (ridge.base - ridge.rise * 0.1) * sheet.height;
  context.fillStyle = css(mix(white, ridge.color, 0.22), 0.82);
  context.beginPath();
  context.moveTo(0, outline(0));
  for (let x = 0; x <= sheet.width; x += step) context.lineTo(x, outline(x));
  for (let x = sheet.width; x >= 0; x -= step) {
    const y = outline(x);
    const tongue = (0.5 + edge((x / sheet.unit) * 16)) * sheet.height * 0.05;
    context.lineTo(x, Math.max(y, Math.min(line, y + (line - y) * 0.55 + tongue)));
  }
  context.closePath();
  context.fill();
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

/** Dunes: long soft crests, each with a lit and a shaded flank. */
export function desertLayers(setting: Setting): Layer[] {
  const { palette, random } = setting;
  const sand = mix(palette.accent, palette.horizon, 0.35);
  const count = 5;
  const far = ridgeLayers(
    { ...setting, random: random.fork("mesa") },
    { count: 1, from: setting.horizon, to: setting.horizon, rise: 0.05, sharp: false, trees: 0, snow: false },
  ).map((layer) => ({ ...layer, depth: 0.1 }));
  const dunes = Array.from({ length: count }, (_, index): Layer => {
    const nearness = index / (count - 1);
    const own = random.fork(`dune ${index}`);
    const base = setting.horizon + 0.05 + nearness ** 1.1 * 0.27;
    const rise = 0.035 + nearness * 0.06;
    const lit = mix(mix(palette.horizon, sand, 0.5 + nearness * 0.4), palette.near, nearness * 0.32);
    const dark = mix(lit, palette.near, 0.42 + nearness * 0.25);
    return {
      depth: 0.2 + nearness * 0.8,
      top: base - rise * 1.2,
      bottom: 1,
      draw: (context, sheet) => {
        const outline = outlineOf(
          {
            base,
            rise,
            hills: 1.4 + (1 - nearness) * 1.5,
            roughness: 0.22,
            octaves: 3,
            color: lit,
            haze: lit,
            hazeAmount: 0,
            sharp: true,
          },
          own,
          sheet,
        );
        fillRidge(context, sheet, outline, { base, rise, color: lit, haze: dark, hazeAmount: 0.85 });
        shadeDune(context, sheet, outline, dark, own.fork("shade"));
      },
    };
  });
  return [...far, ...dunes];
}

function shadeDune(
  context: SKRSContext2D,
  sheet: Sheet,
  outline: (x: number) => number,
  dark: Rgb,
  random: Random,
): void {
  const wobble = ridgeNoise(random, 3, 0.4);
  const step = Math.max(1, sheet.unit / 500);
  context.beginPath();
  context.moveTo(0, outline(0));
  for (let x = 0; x <= sheet.width; x += step) context.lineTo(x, outline(x));
  for (let x = sheet.width; x >= 0; x -= step) {
    const slope = (outline(x + 4 * step) - outline(x - 4 * step)) / (8 * step);
    const depth =
      Math.max(0, slope) * sheet.unit * 0.55 + Math.max(0, wobble(x / sheet.unit) * 0.01 * sheet.unit);
    context.lineTo(x - depth * 0.35, outline(x) + depth);
  }
  context.closePath();
  context.fillStyle = css(dark, 0.62);
  context.fill();
}
