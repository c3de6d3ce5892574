import { createCanvas, type SKRSContext2D } from "@napi-rs/canvas";
import { black, css, mix } from "./color.ts";
import { fillRidge, outlineOf, ridgeLayers } from "./land.ts";
import type { Layer, Setting, Sheet } from "./layer.ts";

/** A lake in front of mountains: still water that mirrors sky and range, and a dark near shore. */
export function lakeLayers(setting: Setting): Layer[] {
  const shore = setting.horizon + 0.06;
  const range = ridgeLayers(setting, {
    count: 4,
    from: setting.horizon - 0.03,
    to: shore + 0.015,
    rise: 0.14,
    sharp: true,
    trees: 0.6,
    until: shore + 0.02,
    snow: setting.requested.weather.snow || setting.random.fork("caps").chance(0.5),
  }).map((layer) => ({ ...layer, depth: 0.02 }));
  return [...range, waterLayer(setting, shore, range), nearShore(setting)];
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
    until: setting.horizon + 0.04,
  }).map((layer, index) => ({ ...layer, depth: 0.1 + index * 0.08 }));
  return [...islands, waterLayer(setting, setting.horizon + 0.02, []), nearShore(setting)];
}

function waterLayer(setting: Setting, shore: number, mirrored: Layer[]): Layer {
  return {
    depth: 0.02,
    top: shore - 0.002,
    bottom: 1,
    draw: (context, sheet) => drawWater(context, sheet, setting, shore, mirrored),
  };
}

function drawWater(
  context: SKRSContext2D,
  sheet: Sheet,
  setting: Setting,
  shore: number,
  mirrored: Layer[],
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
  if (mirrored.length > 0) mirror(context, sheet, mirrored, top);
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

/** The reflection of the shore, upside down and dim. */
function mirror(context: SKRSContext2D, sheet: Sheet, mirrored: Layer[], top: number): void {
  const height = Math.ceil(top);
  const reflection = createCanvas(sheet.width, height);
  const ink = reflection.getContext("2d");
  for (const layer of mirrored) layer.draw(ink, sheet);
  ink.globalCompositeOperation = "destination-in";
  const fade = ink.createLinearGradient(0, height * 0.55, 0, height);
  fade.addColorStop(0, "rgba(0,0,0,0.05)");
  fade.addColorStop(1, "rgba(0,0,0,0.6)");
  ink.fillStyle = fade;
  ink.fillRect(0, 0, sheet.width, height);
  context.save();
  context.translate(0, top);
  context.scale(1, -0.86);
  context.drawImage(reflection, 0, -height);
  context.restore();
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

/** Dark land in a corner of the foreground, for depth. */
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
