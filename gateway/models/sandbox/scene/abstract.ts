import { createCanvas } from "@napi-rs/canvas";
import { black, css, hsl, mix, type Rgb, white } from "./color.ts";
import type { Layer, Setting } from "./layer.ts";
import { lineNoise, planeNoise } from "./noise.ts";

/** Flowing colour with translucent ribbons before it. */
export function drawAbstract(setting: Setting): Layer[] {
  const random = setting.random.fork("abstract");
  const hue = random.between(0, 360);
  const chosen = setting.wish.colors;
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
