import { css, mix } from "./color.ts";
import { fillRidge, outlineOf, type Ridge, ridgeLayers } from "./land.ts";
import type { Layer, Setting } from "./layer.ts";
import { shadeSlopes } from "./relief.ts";

const duneCount = 5;

/** Dunes: long soft crests with a lit and a shaded flank, and pale mesas behind them. */
export function desertLayers(setting: Setting): Layer[] {
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
