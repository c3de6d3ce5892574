import type { Canvas } from "@napi-rs/canvas";
import { createCanvas, type SKRSContext2D } from "@napi-rs/canvas";
import type { JobResult, SwapTask } from "../jobs/spec.ts";
import { canvasOf } from "../picture/canvas-of.ts";
import { encodePicture } from "../picture/encode.ts";
import { drawFooter, footerHeight } from "../picture/footer.ts";
import { drawNumber } from "../picture/prints.ts";
import { oneLine, setFont } from "../picture/text.ts";
import { css, hsl } from "../scene/color.ts";
import { randomFrom } from "../seed.ts";
import { probe } from "../video/media.ts";
import type { JobContext } from "./job-context.ts";

const panelSide = 800;

/** Target and source side by side, numbered. Nothing is swapped. */
export async function swap(task: SwapTask, job: JobContext): Promise<JobResult> {
  const probed = await Promise.all(job.media.map((media) => probe(job.folder, media)));
  const panels = [];
  for (const picture of probed)
    panels.push(await canvasOf(job, picture, { width: panelSide, height: panelSide, fit: "inside" }));
  const gap = Math.round(panelSide * 0.05);
  const label = Math.round(panelSide * 0.075);
  const width = gap * (panels.length + 1) + panels.reduce((sum, panel) => sum + panel.width, 0);
  const tallest = Math.max(...panels.map((panel) => panel.height));
  const picture = tallest + gap * 2 + label;
  const canvas = createCanvas(width, picture + footerHeight(width, picture));
  const context = canvas.getContext("2d");
  background(context, width, picture, task.seed);
  let x = gap;
  panels.forEach((panel, index) => {
    const y = gap + (tallest - panel.height) / 2;
    frame(context, panel, x, y);
    drawNumber(context, x + 14, y + 14, panelSide * 0.05, String(index + 1));
    setFont(context, label * 0.42, 550);
    context.fillStyle = "rgba(255,255,255,0.88)";
    const size = probed[index];
    const name = index === 0 ? "target" : `source (${task.part})`;
    const text = `${index + 1}  ${name}, ${size?.width ?? 0} × ${size?.height ?? 0}`;
    context.fillText(oneLine(context, text, panel.width), x, gap + tallest + label * 0.75);
    x += panel.width + gap;
  });
  drawFooter(canvas, picture, task.caption);
  const output = await encodePicture(
    canvas,
    { folder: job.folder, name: "out-0" },
    { format: "png", quality: "medium", composite: true },
  );
  return { outputs: [output], data: {} };
}

function background(context: SKRSContext2D, width: number, height: number, seed: number): void {
  const hue = randomFrom(`swap ${seed}`).between(200, 300);
  const fill = context.createLinearGradient(0, 0, width, height);
  fill.addColorStop(0, css(hsl(hue, 0.22, 0.2)));
  fill.addColorStop(1, css(hsl((hue + 40) % 360, 0.28, 0.12)));
  context.fillStyle = fill;
  context.fillRect(0, 0, width, height);
}

function frame(context: SKRSContext2D, panel: Canvas, x: number, y: number): void {
  context.save();
  context.shadowColor = "rgba(0,0,0,0.5)";
  context.shadowBlur = 28;
  context.fillStyle = "#000000";
  context.fillRect(x, y, panel.width, panel.height);
  context.restore();
  context.drawImage(panel, x, y);
}
