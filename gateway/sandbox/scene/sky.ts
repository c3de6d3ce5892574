import { createCanvas, type SKRSContext2D } from "@napi-rs/canvas";
import { planeNoise, type Random } from "../seed.ts";
import { css, mix, type Rgb, white } from "./color.ts";
import type { Layer, Setting, Sheet } from "./layer.ts";

/** A sky with a fixed sun or moon, and clouds that drift in front of it. */
export function skyLayers(setting: Setting): Layer[] {
  const { requested, random } = setting;
  const cloudiness = requested.weather.storm
    ? 0.9
    : requested.time === "night"
      ? 0.35
      : random.fork("clouds").between(0.35, 0.6);
  return [
    { depth: 0, top: 0, bottom: 1, draw: (context, sheet) => drawSky(context, sheet, setting) },
    {
      depth: 0.06,
      top: 0,
      bottom: setting.horizon + 0.04,
      draw: (context, sheet) => drawClouds(context, sheet, setting, cloudiness),
    },
  ];
}

function drawSky(context: SKRSContext2D, sheet: Sheet, setting: Setting): void {
  const { palette, requested, light, random } = setting;
  const { width, height } = sheet;
  const sky = context.createLinearGradient(0, 0, 0, height * (setting.horizon + 0.02));
  sky.addColorStop(0, css(palette.skyTop));
  sky.addColorStop(0.45, css(palette.skyMiddle));
  sky.addColorStop(0.82, css(palette.skyLow));
  sky.addColorStop(1, css(palette.horizon));
  context.fillStyle = sky;
  context.fillRect(0, 0, width, height);
  if (requested.time === "night" || requested.time === "dusk")
    drawStars(
      context,
      sheet,
      random.fork("stars"),
      (requested.time === "night" ? 420 : 130) * setting.detail,
    );
  const x = light.x * width;
  const y = light.y * height;
  const moon = requested.time === "night";
  const hidden = requested.weather.storm || requested.weather.fog || requested.weather.rain;
  const radius = sheet.unit * (moon ? 0.034 : 0.048);
  glow(context, x, y, sheet.unit * (moon ? 0.55 : 1.05), palette.light, moon ? 0.3 : 0.62);
  glow(context, x, y, sheet.unit * 0.28, palette.light, hidden ? 0.3 : moon ? 0.4 : 0.75);
  if (hidden) return;
  const disc = context.createRadialGradient(x, y, 0, x, y, radius);
  const face = mix(palette.light, white, 0.6);
  disc.addColorStop(0, css(face));
  disc.addColorStop(0.86, css(face));
  disc.addColorStop(1, css(face, 0));
  context.fillStyle = disc;
  context.fillRect(x - radius, y - radius, radius * 2, radius * 2);
  if (moon) drawSeas(context, x, y, radius, random.fork("moon"));
}

/** Light around a point, fading to nothing. */
export function glow(
  context: SKRSContext2D,
  x: number,
  y: number,
  radius: number,
  color: Rgb,
  strength: number,
): void {
  const halo = context.createRadialGradient(x, y, 0, x, y, radius);
  for (const [stop, part] of [
    [0, 1],
    [0.12, 0.72],
    [0.3, 0.36],
    [0.55, 0.12],
    [0.8, 0.03],
    [1, 0],
  ] as const)
    halo.addColorStop(stop, css(color, strength * part));
  context.save();
  context.globalCompositeOperation = "screen";
  context.fillStyle = halo;
  context.fillRect(x - radius, y - radius, radius * 2, radius * 2);
  context.restore();
}

/** Stars: many faint, few bright, some of them warm. */
export function drawStars(context: SKRSContext2D, sheet: Sheet, random: Random, count: number): void {
  for (let index = 0; index < count; index++) {
    const x = random.next() * sheet.width;
    const y = random.next() ** 1.3 * sheet.height * 0.7;
    const bright = random.next() ** 4;
    const size = Math.max(0.55, sheet.unit * (0.0007 + bright * 0.0016));
    const color: Rgb = random.chance(0.25) ? [255, 226, 196] : [226, 236, 255];
    context.fillStyle = css(color, 0.22 + bright * 0.78);
    context.beginPath();
    context.arc(x, y, size, 0, Math.PI * 2);
    context.fill();
    if (bright > 0.55) glow(context, x, y, size * 7, color, 0.35);
  }
}

function drawSeas(context: SKRSContext2D, x: number, y: number, radius: number, random: Random): void {
  context.save();
  context.beginPath();
  context.arc(x, y, radius * 0.94, 0, Math.PI * 2);
  context.clip();
  for (let index = 0; index < 9; index++) {
    const size = radius * random.between(0.1, 0.34);
    context.fillStyle = `rgba(120,134,160,${random.between(0.08, 0.2)})`;
    context.beginPath();
    context.arc(x + radius * random.between(-0.7, 0.7), y + radius * random.between(-0.7, 0.7), size, 0, 7);
    context.fill();
  }
  context.restore();
}

/** Clouds are noise on a small sheet, lit from the side of the sun and enlarged, which softens them. */
function drawClouds(context: SKRSContext2D, sheet: Sheet, setting: Setting, cloudiness: number): void {
  const { palette, light } = setting;
  const rows = 150;
  const columns = Math.round((rows * sheet.width) / (sheet.height * setting.horizon));
  const small = createCanvas(columns, rows);
  const ink = small.getContext("2d");
  const image = ink.createImageData(columns, rows);
  const noise = planeNoise(setting.random.fork("cloud noise"), 5);
  const warp = planeNoise(setting.random.fork("cloud warp"), 2);
  const threshold = 0.66 - cloudiness * 0.3;
  const shade = mix(palette.skyMiddle, palette.skyTop, 0.4);
  const step = 1 / rows;
  for (let row = 0; row < rows; row++) {
    const down = row * step;
    // Clouds lie in a plane overhead: the nearer the horizon, the flatter and denser they look.
    const stretch = 1.6 + down * 7;
    for (let column = 0; column < columns; column++) {
      const across = column * step;
      const bend = warp(across * 2.2, down * 5) - 0.5;
      const at = (offset: number) => noise(across * 2.1 + bend * 0.9, down * stretch + bend * 0.5 + offset);
      const density = at(0);
      const cover = Math.min(1, Math.max(0, (density - threshold) / 0.22));
      if (cover === 0) continue;
      const lit = Math.min(1, Math.max(0, 0.55 + (density - at(0.16)) * 4.2));
      const away = Math.abs(column / columns - light.x);
      const near = Math.max(0, 1 - away * 1.7);
      const color = mix(mix(shade, palette.cloud, 0.25 + lit * 0.75), palette.light, near * lit * 0.45);
      const fade = Math.min(1, down * 5) * Math.min(1, (1 - down) * 3.2);
      const place = (row * columns + column) * 4;
      image.data[place] = color[0];
      image.data[place + 1] = color[1];
      image.data[place + 2] = color[2];
      image.data[place + 3] = 255 * cover ** 1.2 * fade * (0.42 + cloudiness * 0.5);
    }
  }
  ink.putImageData(image, 0, 0);
  context.save();
  context.imageSmoothingEnabled = true;
  context.imageSmoothingQuality = "high";
  context.drawImage(small, 0, 0, sheet.width, sheet.height * (setting.horizon + 0.03));
  context.restore();
}
