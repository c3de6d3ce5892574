import { hex, mix, type Rgb } from "./color.ts";
import type { SceneRequest, TimeOfDay } from "./scene-request.ts";

/** The colours of one scene, from the top of the sky down to the nearest ground. */
export interface Palette {
  skyTop: Rgb;
  skyMiddle: Rgb;
  skyLow: Rgb;
  horizon: Rgb;
  /** Sun or moon, and the light it throws. */
  light: Rgb;
  cloud: Rgb;
  far: Rgb;
  near: Rgb;
  /** The accent colour: lamps, windows, leaves. */
  accent: Rgb;
}

const byTime: Record<TimeOfDay, readonly string[]> = {
  dawn: ["#2c3f73", "#7d7aa8", "#eaa58f", "#ffe3bd", "#fff0cf", "#ffd9c7", "#8d86a8", "#1b2440", "#ffb98a"],
  day: ["#2468b0", "#62a5d8", "#b9dcee", "#f2f4e8", "#fffbe6", "#ffffff", "#86a9bd", "#17362f", "#e9c46a"],
  golden: ["#34457c", "#9a6284", "#ef8a4f", "#ffd88c", "#fff0b8", "#ffc48a", "#a8667a", "#23152b", "#ffb347"],
  dusk: ["#141838", "#43356f", "#a6517f", "#f0a07c", "#ffd6b0", "#c9749a", "#5a3f72", "#0f0d22", "#ff9d6e"],
  night: ["#040817", "#0b1836", "#19305c", "#3d6088", "#e9f1ff", "#3c5678", "#1d3355", "#03060f", "#ffd27a"],
};
const storm = [
  "#1f262e",
  "#3c4751",
  "#6c7982",
  "#b3bcc0",
  "#f2f5f2",
  "#8d989f",
  "#56636c",
  "#10161a",
  "#c8d2d6",
];

/**
 * The palette of a request: that of its time of day, darkened by a storm, greyed by fog, and tinted by its
 * colour words.
 */
export function paletteOf(requested: SceneRequest): Palette {
  const base = fromList(
    requested.weather.storm && requested.time !== "night" ? storm : byTime[requested.time],
  );
  const wet = requested.weather.rain || requested.weather.fog;
  const weathered = wet ? tinted(base, hex(requested.time === "night" ? "#26323f" : "#a9b4ba"), 0.3) : base;
  const [first, second] = requested.colors;
  if (!first) return weathered;
  return {
    ...weathered,
    skyTop: mix(weathered.skyTop, mix(second ?? first, weathered.skyTop, 0.35), 0.55),
    skyMiddle: mix(weathered.skyMiddle, second ?? first, 0.5),
    skyLow: mix(weathered.skyLow, first, 0.6),
    horizon: mix(weathered.horizon, first, 0.32),
    cloud: mix(weathered.cloud, first, 0.3),
    far: mix(weathered.far, first, 0.45),
    near: mix(weathered.near, mix(second ?? first, [0, 0, 0], 0.6), 0.4),
    accent: mix(weathered.accent, first, 0.75),
  };
}

function fromList(list: readonly string[]): Palette {
  const [skyTop, skyMiddle, skyLow, horizon, light, cloud, far, near, accent] = list.map(hex);
  const grey: Rgb = [128, 128, 128];
  return {
    skyTop: skyTop ?? grey,
    skyMiddle: skyMiddle ?? grey,
    skyLow: skyLow ?? grey,
    horizon: horizon ?? grey,
    light: light ?? grey,
    cloud: cloud ?? grey,
    far: far ?? grey,
    near: near ?? grey,
    accent: accent ?? grey,
  };
}

function tinted(palette: Palette, color: Rgb, amount: number): Palette {
  return {
    ...palette,
    skyTop: mix(palette.skyTop, color, amount),
    skyMiddle: mix(palette.skyMiddle, color, amount),
    skyLow: mix(palette.skyLow, color, amount),
    horizon: mix(palette.horizon, color, amount * 0.7),
    far: mix(palette.far, color, amount),
  };
}
