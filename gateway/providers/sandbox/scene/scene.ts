import type { SKRSContext2D } from "@napi-rs/canvas";
import { type Random, randomFrom } from "../seed.ts";
import { drawAbstract } from "./abstract.ts";
import { cityLayers } from "./city.ts";
import { desertLayers } from "./desert.ts";
import { forestLayers, mountainLayers } from "./land.ts";
import { type Palette, paletteOf } from "./palette.ts";
import { skyLayers } from "./sky.ts";
import { spaceLayers } from "./space.ts";
import { lakeLayers, oceanLayers } from "./water.ts";
import { precipitation } from "./weather.ts";
import { readWish, type Wish } from "./words.ts";

/** One sheet of a scene. Videos move the sheets at different speeds, pictures lay them on one another. */
export interface Layer {
  /** 0 stands still at infinity, 1 is nearest to the eye. */
  depth: number;
  /** The part of the height it touches, 0 (top) .. 1 (bottom). */
  top: number;
  bottom: number;
  /** Draws it `sheet.width` wide; the picture itself is `view` large. */
  draw(context: SKRSContext2D, sheet: Sheet): void;
}

/** The size of what is drawn. A sheet of a video is wider than what is seen of it. */
export interface Sheet {
  width: number;
  height: number;
  view: { width: number; height: number };
  /** The measure that strokes, trees and windows are counted in. */
  unit: number;
}

/** Everything that a layer needs to know to draw itself. */
export interface Setting {
  wish: Wish;
  palette: Palette;
  random: Random;
  /** 0.4 (few stars, ridges, windows) .. 1.4 (many). */
  detail: number;
  /** Where sun or moon stand, in parts of the view. */
  light: { x: number; y: number };
  /** Where sky and ground meet, in parts of the height. */
  horizon: number;
}

/** Composes the scene of a prompt: always places, never people. */
export function composeScene(
  prompt: string,
  seed: number,
  detail = 1,
): { layers: Layer[]; setting: Setting } {
  const wish = readWish(prompt);
  const random = randomFrom(`scene ${seed} ${prompt.toLowerCase()}`);
  const low = wish.time === "day" || wish.time === "night" ? 0.2 : 0.46;
  const setting: Setting = {
    wish,
    palette: paletteOf(wish),
    random,
    detail,
    light: { x: random.between(0.22, 0.78), y: low + random.between(-0.05, 0.07) },
    horizon: random.between(0.56, 0.64),
  };
  const layers = [...groundOf(setting)];
  if (wish.weather.rain || wish.weather.snow) layers.push(precipitation(setting));
  return { layers, setting };
}

function groundOf(setting: Setting): Layer[] {
  switch (setting.wish.kind) {
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
