import { randomFrom } from "../seed.ts";
import { drawAbstract } from "./abstract.ts";
import { cityLayers } from "./city.ts";
import { desertLayers } from "./desert.ts";
import { forestLayers, mountainLayers } from "./land.ts";
import type { Layer, Setting } from "./layer.ts";
import { paletteOf } from "./palette.ts";
import { skyLayers } from "./sky.ts";
import { spaceLayers } from "./space.ts";
import { lakeLayers, oceanLayers } from "./water.ts";
import { precipitation } from "./weather.ts";
import { readWish } from "./words.ts";

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
