import { css, white } from "./color.ts";
import type { Layer, Setting } from "./layer.ts";

/** Rain or snow in front of everything else. */
export function precipitation(setting: Setting): Layer {
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
