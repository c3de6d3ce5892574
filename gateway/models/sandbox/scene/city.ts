import type { SKRSContext2D } from "@napi-rs/canvas";
import type { Random } from "../seed.ts";
import { css, mix, type Rgb } from "./color.ts";
import type { Layer, Setting, Sheet } from "./layer.ts";
import { glow } from "./sky.ts";

/** Rows of towers, pale in the distance, with lit windows near by. */
export function cityLayers(setting: Setting): Layer[] {
  const rows = Math.round(3 + 1.5 * setting.detail);
  const dark = setting.wish.time !== "day";
  const towers = Array.from({ length: rows }, (_, index): Layer => {
    const nearness = index / (rows - 1);
    const base = setting.horizon + 0.1 + nearness * 0.32;
    const tallest = 0.34 + nearness * 0.26;
    return {
      depth: 0.12 + nearness * 0.88,
      top: Math.max(0, base - tallest - 0.1),
      bottom: 1,
      draw: (context, sheet) =>
        drawRow(context, sheet, setting, { nearness, base, tallest, lit: dark ? 0.42 : 0.1, index }),
    };
  });
  return towers;
}

interface Row {
  nearness: number;
  base: number;
  tallest: number;
  /** Share of windows with light. */
  lit: number;
  index: number;
}

function drawRow(context: SKRSContext2D, sheet: Sheet, setting: Setting, row: Row): void {
  const { palette } = setting;
  const random = setting.random.fork(`row ${row.index}`);
  const air = mix(palette.horizon, palette.skyLow, 0.45);
  const wall = mix(mix(air, palette.far, 0.55), mix(palette.near, palette.far, 0.12), row.nearness ** 0.9);
  const ground = row.base * sheet.height;
  const typical = sheet.unit * (0.05 + row.nearness * 0.085);
  let x = -typical * random.next();
  while (x < sheet.width) {
    const width = typical * random.between(0.55, 1.35);
    const height = sheet.height * row.tallest * (0.3 + 0.7 * random.next() ** 1.7);
    tower(context, sheet, random, { x, width, top: ground - height, wall, air, row, accent: palette.accent });
    x += width + typical * random.between(-0.05, 0.3);
  }
  const mist = context.createLinearGradient(0, ground - sheet.height * 0.3, 0, ground + sheet.height * 0.1);
  mist.addColorStop(0, css(air, 0));
  mist.addColorStop(1, css(air, 0.5 * (1 - row.nearness * 0.85)));
  context.fillStyle = mist;
  context.fillRect(0, ground - sheet.height * 0.3, sheet.width, sheet.height * 0.5);
}

interface Tower {
  x: number;
  width: number;
  top: number;
  wall: Rgb;
  air: Rgb;
  row: Row;
  accent: Rgb;
}

function tower(context: SKRSContext2D, sheet: Sheet, random: Random, it: Tower): void {
  const left = Math.round(it.x);
  const width = Math.round(it.width);
  const fill = context.createLinearGradient(0, it.top, 0, it.row.base * sheet.height);
  fill.addColorStop(0, css(it.wall));
  fill.addColorStop(1, css(mix(it.wall, it.air, 0.4 * (1 - it.row.nearness))));
  context.fillStyle = fill;
  context.fillRect(left, it.top, width, sheet.height - it.top);
  const shape = random.next();
  if (shape < 0.3) {
    const inset = width * 0.22;
    context.fillRect(left + inset, it.top - width * 0.3, width - inset * 2, width * 0.32);
  } else if (shape < 0.42) {
    context.beginPath();
    context.moveTo(left, it.top + 1);
    context.lineTo(left + width, it.top - width * 0.45);
    context.lineTo(left + width, it.top + 1);
    context.fill();
  }
  if (random.chance(0.3)) antenna(context, sheet, random, it, left + width / 2);
  context.fillStyle = css(mix(it.wall, it.air, 0.35), 0.25);
  context.fillRect(left, it.top, Math.max(1, width * 0.05), sheet.height - it.top);
  if (it.row.nearness > 0.15) windows(context, sheet, random.fork(`windows ${left}`), it, left, width);
}

function antenna(context: SKRSContext2D, sheet: Sheet, random: Random, it: Tower, x: number): void {
  const height = it.width * random.between(0.4, 0.9);
  const thin = Math.max(1, sheet.unit * 0.0018);
  context.fillRect(x - thin / 2, it.top - height, thin, height + 1);
  if (it.row.nearness > 0.4 && it.row.lit > 0.2)
    glow(context, x, it.top - height, sheet.unit * 0.012, [255, 84, 70], 0.9);
}

function windows(
  context: SKRSContext2D,
  sheet: Sheet,
  random: Random,
  it: Tower,
  left: number,
  width: number,
): void {
  const cell = Math.max(3, sheet.unit * (0.008 + it.row.nearness * 0.006));
  const columns = Math.floor((width - cell * 0.8) / cell);
  if (columns < 1) return;
  const inset = (width - columns * cell) / 2;
  const warm: Rgb = mix(it.accent, [255, 236, 190], 0.45);
  for (let y = it.top + cell; y < sheet.height - cell; y += cell * 1.35) {
    const floorLit = it.row.lit * (random.chance(0.16) ? 1.8 : 1);
    for (let column = 0; column < columns; column++) {
      if (!random.chance(floorLit)) continue;
      const color = random.chance(0.18) ? ([196, 222, 255] as const) : warm;
      context.fillStyle = css(color, random.between(0.25, 0.95) * (0.35 + it.row.nearness * 0.6));
      context.fillRect(left + inset + column * cell + cell * 0.22, y, cell * 0.52, cell * 0.72);
    }
  }
}
