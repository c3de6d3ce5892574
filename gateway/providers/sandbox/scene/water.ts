import type { SKRSContext2D } from "@napi-rs/canvas";
import { black, css, mix } from "./color.ts";
import { fillRidge, outlineOf, ridgeLayers } from "./land.ts";
import type { Layer, Setting, Sheet } from "./scene.ts";

/** A lake before mountains: still water that mirrors sky and range, and a dark near shore. */
export function lakeLayers(setting: Setting): Layer[] {
  const shore = setting.horizon + 0.06;
  const mountains = ridgeLayers(setting, {
    count: 3,
    from: setting.horizon - 0.03,
    to: shore,
    rise: 0.15,
    sharp: true,
    trees: 0.5,
    snow: setting.wish.weather.snow || setting.random.fork("caps").chance(0.4),
  }).map((layer) => ({ ...layer, depth: layer.depth * 0.4 }));
  return [...mountains, waterLayer(setting, shore, true), nearShore(setting)];
}

/** Open sea with islands on the horizon. */
export function oceanLayers(setting: Setting): Layer[] {
  const islands = ridgeLayers(setting, {
    count: 2,
    from: setting.horizon + 0.01,
    to: setting.horizon + 0.03,
    rise: 0.055,
    sharp: false,
    trees: 0,
    snow: false,
  }).map((layer, index) => ({ ...layer, depth: 0.1 + index * 0.08 }));
  return [...islands, waterLayer(setting, setting.horizon + 0.02, false), nearShore(setting)];
}

function waterLayer(setting: Setting, shore: number, still: boolean): Layer {
  return {
    depth: 0.02,
    top: shore - 0.002,
    bottom: 1,
    draw: (context, sheet) => drawWater(context, sheet, setting, shore, still),
  };
}

function drawWater(
  context: SKRSContext2D,
  sheet: Sheet,
  setting: Setting,
  shore: number,
  still: boolean,
): void {
  const { palette, light } = setting;
  const random = setting.random.fork("water");
  const top = shore * sheet.height;
  const depth = sheet.height - top;
  const water = context.createLinearGradient(0, top, 0, sheet.height);
  const dim = (amount: number) =>
    mix(mix(palette.skyLow, palette.skyMiddle, amount), black, 0.12 + amount * 0.3);
  water.addColorStop(0, css(mix(palette.horizon, palette.skyLow, 0.55)));
  water.addColorStop(0.16, css(dim(0.25)));
  water.addColorStop(0.55, css(dim(0.75)));
  water.addColorStop(1, css(mix(palette.skyTop, palette.near, 0.55)));
  context.fillStyle = water;
  context.fillRect(0, top, sheet.width, depth);
  if (still) mirrorRange(context, sheet, setting, top);
  ripples(context, sheet, setting, top);
  const sunX = light.x * sheet.width;
  context.save();
  context.globalCompositeOperation = "screen";
  const strokes = Math.round(520 * setting.detail);
  for (let index = 0; index < strokes; index++) {
    const down = random.next() ** 1.4;
    const spread = sheet.unit * (0.02 + down * 0.2);
    const x = sunX + (random.next() + random.next() + random.next() - 1.5) * spread * 1.3;
    const length = sheet.unit * (0.006 + down * 0.05) * random.between(0.4, 1.2);
    const y = top + down * depth;
    context.fillStyle = css(palette.light, (1 - down * 0.6) * random.between(0.08, 0.5));
    context.beginPath();
    context.ellipse(x, y, length, Math.max(0.5, sheet.unit * (0.0006 + down * 0.0022)), 0, 0, Math.PI * 2);
    context.fill();
  }
  context.restore();
}

/** The range upside down, dim and broken by the ripples above it. */
function mirrorRange(context: SKRSContext2D, sheet: Sheet, setting: Setting, top: number): void {
  const random = setting.random.fork("ridge 1");
  const outline = outlineOf(
    {
      base: setting.horizon + 0.02,
      rise: 0.12,
      hills: 2,
      roughness: 0.46,
      octaves: 6,
      color: setting.palette.near,
      haze: setting.palette.near,
      hazeAmount: 0,
      sharp: true,
    },
    random,
    sheet,
  );
  const shade = context.createLinearGradient(0, top, 0, top + sheet.height * 0.22);
  shade.addColorStop(0, css(mix(setting.palette.far, setting.palette.near, 0.55), 0.6));
  shade.addColorStop(1, css(mix(setting.palette.far, setting.palette.near, 0.4), 0.02));
  context.fillStyle = shade;
  context.beginPath();
  context.moveTo(0, top);
  const step = Math.max(1, sheet.unit / 500);
  for (let x = 0; x <= sheet.width; x += step) context.lineTo(x, top + Math.max(0, top - outline(x)) * 0.92);
  context.lineTo(sheet.width, top);
  context.closePath();
  context.fill();
}

function ripples(context: SKRSContext2D, sheet: Sheet, setting: Setting, top: number): void {
  const random = setting.random.fork("ripples");
  const depth = sheet.height - top;
  const count = Math.round(700 * setting.detail * (sheet.width / sheet.view.width));
  for (let index = 0; index < count; index++) {
    const down = random.next() ** 1.6;
    const length = sheet.unit * (0.012 + down * 0.16) * random.between(0.4, 1.3);
    const bright = random.chance(0.5);
    context.fillStyle = bright
      ? css(setting.palette.horizon, random.between(0.03, 0.14) * (1 - down * 0.5))
      : css(setting.palette.near, random.between(0.03, 0.13));
    context.beginPath();
    context.ellipse(
      random.next() * sheet.width,
      top + down * depth,
      length,
      Math.max(0.5, sheet.unit * (0.0005 + down * 0.0032)),
      0,
      0,
      Math.PI * 2,
    );
    context.fill();
  }
}

/** Dark land in a corner of the foreground, so that the eye has somewhere to stand. */
function nearShore(setting: Setting): Layer {
  const random = setting.random.fork("near shore");
  const color = mix(setting.palette.near, black, 0.25);
  return {
    depth: 1,
    top: 0.84,
    bottom: 1,
    draw: (context, sheet) => {
      const ridge = { base: 0.965, rise: 0.055, color, haze: color, hazeAmount: 0 };
      const outline = outlineOf(
        { ...ridge, hills: 1.2, roughness: 0.42, octaves: 6, sharp: false },
        random,
        sheet,
      );
      const side = setting.light.x > 0.5 ? 1 : -1;
      const slope = (x: number) =>
        outline(x) + side * ((x % sheet.view.width) / sheet.view.width - 0.5) * sheet.height * 0.09;
      fillRidge(context, sheet, sheet.width > sheet.view.width ? outline : slope, ridge);
    },
  };
}
