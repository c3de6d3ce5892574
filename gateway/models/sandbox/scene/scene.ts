import { randomFrom } from "../seed.ts";
import { drawAbstract } from "./abstract.ts";
import { cityLayers } from "./city.ts";
import { css, white } from "./color.ts";
import { desertLayers } from "./desert.ts";
import { forestLayers, mountainLayers } from "./land.ts";
import type { Layer, Setting } from "./layer.ts";
import { paletteOf } from "./palette.ts";
import { skyLayers } from "./sky.ts";
import { spaceLayers } from "./space.ts";
import { lakeLayers, oceanLayers } from "./water.ts";
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

/** Rain or snow in front of everything else. */
function precipitation(setting: Setting): Layer {
  const snow = setting.wish.weather.snow;
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
