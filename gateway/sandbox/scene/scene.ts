import { createCanvas, type SKRSContext2D } from "@napi-rs/canvas";
import { lineNoise, planeNoise, type Random, randomFrom } from "../seed.ts";
import { black, css, hsl, mix, type Rgb, white } from "./color.ts";
import {
  fillRidge,
  forestLayers,
  mountainLayers,
  outlineOf,
  type Ridge,
  ridgeLayers,
  shadeSlopes,
} from "./land.ts";
import type { Layer, Setting, Sheet } from "./layer.ts";
import { paletteOf } from "./palette.ts";
import { readSceneRequest } from "./scene-request.ts";
import { glow, skyLayers } from "./sky.ts";
import { spaceLayers } from "./space.ts";
import { lakeLayers, oceanLayers } from "./water.ts";

/** Composes the scene of a prompt: always places, never people. */
export function composeScene(
  prompt: string,
  seed: number,
  detail = 1,
): { layers: Layer[]; setting: Setting } {
  const requested = readSceneRequest(prompt);
  const random = randomFrom(`scene ${seed} ${prompt.toLowerCase()}`);
  const low = requested.time === "day" || requested.time === "night" ? 0.2 : 0.46;
  const setting: Setting = {
    requested,
    palette: paletteOf(requested),
    random,
    detail,
    light: { x: random.between(0.22, 0.78), y: low + random.between(-0.05, 0.07) },
    horizon: random.between(0.56, 0.64),
  };
  const layers = [...groundOf(setting)];
  if (requested.weather.rain || requested.weather.snow) layers.push(precipitation(setting));
  return { layers, setting };
}

function groundOf(setting: Setting): Layer[] {
  switch (setting.requested.kind) {
    case "mountains":
      return [...skyLayers(setting), ...mountainLayers(setting)];
    case "forest":
      return [...skyLayers(setting), ...forestLayers(setting)];
    case "desert":
      return [...skyLayers(setting), ...desertLayers(setting)];
    case "lake":
      return [...skyLayers(setting), ...lakeLayers(setting)];
    case "ocean":
      return [...skyLayers(setting), ...oceanLayers(setting)];
    case "city":
      return [...skyLayers(setting), ...cityLayers(setting)];
    case "space":
      return spaceLayers(setting);
    case "abstract":
      return drawAbstract(setting);
  }
}

/** Rain or snow in front of everything else. */
function precipitation(setting: Setting): Layer {
  const snow = setting.requested.weather.snow;
  return {
    depth: 0.9,
    top: 0,
    bottom: 1,
    draw: (context, sheet) => {
      const random = setting.random.fork("precipitation");
      const count = Math.round((snow ? 420 : 560) * setting.detail * (sheet.width / sheet.view.width));
      context.lineCap = "round";
      for (let index = 0; index < count; index++) {
        const x = random.next() * sheet.width;
        const y = random.next() * sheet.height;
        const near = random.next() ** 3;
        if (snow) {
          context.fillStyle = css(white, 0.25 + near * 0.5);
          context.beginPath();
          context.arc(x, y, sheet.unit * (0.0012 + near * 0.0045), 0, Math.PI * 2);
          context.fill();
          continue;
        }
        const length = sheet.unit * (0.018 + near * 0.05);
        context.strokeStyle = css(white, 0.06 + near * 0.16);
        context.lineWidth = Math.max(0.6, sheet.unit * (0.0007 + near * 0.0009));
        context.beginPath();
        context.moveTo(x, y);
        context.lineTo(x - length * 0.22, y + length);
        context.stroke();
      }
    },
  };
}

const duneCount = 5;

/** Dunes: long soft crests with a lit and a shaded flank, and pale mesas behind them. */
function desertLayers(setting: Setting): Layer[] {
  const mesas = ridgeLayers(
    { ...setting, random: setting.random.fork("mesa") },
    {
      count: 2,
      from: setting.horizon - 0.01,
      to: setting.horizon + 0.02,
      rise: 0.05,
      sharp: false,
      trees: 0,
      snow: false,
    },
  )
    .slice(0, 1)
    .map((layer) => ({ ...layer, depth: 0.1 }));
  return [...mesas, ...Array.from({ length: duneCount }, (_, index) => dune(setting, index))];
}

function dune(setting: Setting, index: number): Layer {
  const { palette } = setting;
  const nearness = index / (duneCount - 1);
  const random = setting.random.fork(`dune ${index}`);
  const sand = mix(palette.accent, palette.skyLow, 0.35);
  const lit = mix(mix(palette.horizon, sand, 0.45 + nearness * 0.5), palette.near, nearness * 0.3);
  const dark = mix(mix(lit, palette.near, 0.55 + nearness * 0.2), palette.skyMiddle, 0.12);
  const ridge: Ridge = {
    base: setting.horizon + 0.045 + nearness ** 1.15 * 0.3,
    rise: 0.045 + nearness * 0.12,
    hills: 1.5 + (1 - nearness) * 2.2,
    roughness: 0.28,
    octaves: 3,
    color: lit,
    haze: mix(lit, dark, 0.55),
    hazeAmount: 0.75,
    sharp: false,
  };
  return {
    depth: 0.2 + nearness * 0.8,
    top: ridge.base - ridge.rise * 1.2,
    bottom: 1,
    draw: (context, sheet) => {
      const outline = outlineOf(ridge, random, sheet);
      fillRidge(context, sheet, outline, ridge, () =>
        shadeSlopes(
          context,
          sheet,
          outline,
          {
            lightX: setting.light.x,
            light: palette.light,
            dark,
            strength: 2.2,
            reach: 0.16 + nearness * 0.16,
            smooth: 0.02,
          },
          random.fork("flanks"),
        ),
      );
      context.strokeStyle = css(palette.light, 0.35);
      context.lineWidth = Math.max(0.7, sheet.unit * 0.0013);
      context.beginPath();
      for (let x = 0; x <= sheet.width; x += 3) context.lineTo(x, outline(x));
      context.stroke();
    },
  };
}

/** Rows of towers, pale in the distance, with lit windows near by. */
function cityLayers(setting: Setting): Layer[] {
  const rows = Math.round(3 + 1.5 * setting.detail);
  const dark = setting.requested.time !== "day";
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

/** Flowing colour with translucent ribbons before it. */
function drawAbstract(setting: Setting): Layer[] {
  const random = setting.random.fork("abstract");
  const hue = random.between(0, 360);
  const chosen = setting.requested.colors;
  const colors: [Rgb, ...Rgb[]] = [
    chosen[0] ?? hsl(hue, 0.62, 0.5),
    chosen[1] ?? hsl((hue + 42) % 360, 0.72, 0.58),
    chosen[2] ?? hsl((hue + 200) % 360, 0.6, 0.42),
  ];
  const ribbons = Math.round(5 + 4 * setting.detail);
  return [
    field(setting, colors),
    ...Array.from({ length: ribbons }, (_, index) => ribbon(setting, colors, index, ribbons)),
  ];
}

function field(setting: Setting, colors: [Rgb, ...Rgb[]]): Layer {
  return {
    depth: 0,
    top: 0,
    bottom: 1,
    draw: (context, sheet) => {
      const rows = 110;
      const columns = Math.round((rows * sheet.width) / sheet.height);
      const small = createCanvas(columns, rows);
      const ink = small.getContext("2d");
      const image = ink.createImageData(columns, rows);
      const flow = planeNoise(setting.random.fork("flow"), 3);
      const fold = planeNoise(setting.random.fork("fold"), 2);
      for (let row = 0; row < rows; row++)
        for (let column = 0; column < columns; column++) {
          const x = (column / rows) * 1.3;
          const y = (row / rows) * 1.3;
          const bend = fold(x, y);
          const value = flow(x + bend * 2, y + bend * 1.4);
          const part = Math.min(1, Math.max(0, (value - 0.25) * 2));
          const second = colors[1] ?? colors[0];
          const third = colors[2] ?? colors[0];
          const color = part < 0.5 ? mix(third, colors[0], part * 2) : mix(colors[0], second, part * 2 - 1);
          const shade = mix(mix(color, black, 0.45 * (1 - bend)), white, Math.max(0, part - 0.75) * 0.7);
          const place = (row * columns + column) * 4;
          image.data[place] = shade[0];
          image.data[place + 1] = shade[1];
          image.data[place + 2] = shade[2];
          image.data[place + 3] = 255;
        }
      ink.putImageData(image, 0, 0);
      context.imageSmoothingQuality = "high";
      context.drawImage(small, 0, 0, sheet.width, sheet.height);
    },
  };
}

function ribbon(setting: Setting, colors: [Rgb, ...Rgb[]], index: number, count: number): Layer {
  const random = setting.random.fork(`ribbon ${index}`);
  const nearness = (index + 1) / count;
  const middle = 0.16 + 0.72 * nearness + random.between(-0.06, 0.06);
  const color = mix(random.pick(colors), index % 2 ? white : black, random.between(0.08, 0.32));
  return {
    depth: 0.1 + nearness * 0.7,
    top: 0,
    bottom: 1,
    draw: (context, sheet) => {
      const wave = lineNoise(random.fork("wave"));
      const width = lineNoise(random.fork("width"));
      const middleAt = (x: number) => (middle + wave((x / sheet.unit) * 1.4) * 0.17) * sheet.height;
      const halfAt = (x: number) => sheet.height * (0.05 + 0.07 * (1 + width((x / sheet.unit) * 1.1)));
      const step = Math.max(2, sheet.unit / 240);
      context.beginPath();
      for (let x = 0; x <= sheet.width + step; x += step) context.lineTo(x, middleAt(x) - halfAt(x));
      for (let x = sheet.width + step; x >= 0; x -= step) context.lineTo(x, middleAt(x) + halfAt(x) * 0.9);
      context.closePath();
      const fill = context.createLinearGradient(
        0,
        (middle - 0.25) * sheet.height,
        0,
        (middle + 0.25) * sheet.height,
      );
      fill.addColorStop(0, css(mix(color, white, 0.4), 0.55));
      fill.addColorStop(0.5, css(color, 0.42));
      fill.addColorStop(1, css(mix(color, black, 0.35), 0.08));
      context.fillStyle = fill;
      context.fill();
    },
  };
}
