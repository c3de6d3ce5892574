import { type Canvas, createCanvas, type SKRSContext2D } from "@napi-rs/canvas";
import type { EditTask, JobContext, JobResult, SwapTask } from "../jobs/spec.ts";
import { canvasOf, encodePicture } from "../picture/canvas.ts";
import { drawFooter, drawNumber, drawPrint, footerHeight, withFooter } from "../picture/caption.ts";
import { oneLine, setFont } from "../picture/text.ts";
import { css, hsl, mix } from "../scene/color.ts";
import { addGrain } from "../scene/draw.ts";
import { paletteOf } from "../scene/palette.ts";
import { readSceneRequest } from "../scene/scene-request.ts";
import { randomFrom } from "../seed.ts";
import { probe } from "../video/media.ts";

const longestSide = 2048;

/**
 * Recolours the first picture by the prompt to the right of a slanted line, and shows the others on it as
 * prints.
 */
export async function edit(task: EditTask, job: JobContext): Promise<JobResult> {
  const [first, ...others] = await Promise.all(job.media.map((media) => probe(job.folder, media)));
  if (!first) throw new Error("An edit needs a picture");
  const { width, height } = sizeFor(task, first);
  const strip = footerHeight(width, height);
  const base = await canvasOf(job, first, { width, height: height - strip, fit: "cover" });
  const side = Math.round(Math.min(base.width, base.height) * (others.length > 4 ? 0.17 : 0.22));
  const prints = [];
  for (const other of others)
    prints.push(await canvasOf(job, other, { width: side, height: side, fit: "inside" }));
  const outputs = [];
  for (const [index, caption] of task.pictures.entries()) {
    const canvas = paint(base, prints, task, task.seed + index);
    outputs.push(
      await encodePicture(
        withFooter(canvas, height, caption),
        { folder: job.folder, name: `out-${index}` },
        { format: "png", quality: "medium", composite: true },
      ),
    );
    await job.progress(((index + 1) / task.pictures.length) * 100);
  }
  return { outputs, data: {} };
}

function sizeFor(task: EditTask, first: { width: number; height: number }) {
  if (task.size) return task.size;
  const scale = Math.min(1, longestSide / Math.max(first.width, first.height));
  const side = (value: number) => Math.max(64, Math.round(value * scale));
  return { width: side(first.width), height: side(first.height) };
}

function paint(base: Canvas, prints: Canvas[], task: EditTask, seed: number): Canvas {
  const { width, height } = base;
  const canvas = createCanvas(width, height);
  const context = canvas.getContext("2d");
  const random = randomFrom(`edit ${seed}`);
  context.drawImage(base, 0, 0);
  const middle = width * random.between(0.38, 0.62);
  const slant = width * random.between(0.04, 0.14) * (random.chance(0.5) ? 1 : -1);
  context.save();
  context.beginPath();
  context.moveTo(middle + slant, 0);
  context.lineTo(width, 0);
  context.lineTo(width, height);
  context.lineTo(middle - slant, height);
  context.closePath();
  context.clip();
  recolour(context, width, height, task.prompt, seed);
  context.restore();
  context.strokeStyle = "rgba(255,255,255,0.92)";
  context.lineWidth = Math.max(2, width / 400);
  context.beginPath();
  context.moveTo(middle + slant, 0);
  context.lineTo(middle - slant, height);
  context.stroke();
  const margin = Math.min(width, height) * 0.035;
  let x = margin;
  prints.forEach((print, index) => {
    const y = height - print.height - margin * 1.6;
    drawPrint(context, print, { x, y, number: String(index + 2), turn: random.between(-0.05, 0.05) });
    x += Math.min(print.width + margin, (width - margin * 2) / Math.max(1, prints.length));
  });
  return canvas;
}

/** Colours a picture with the light of the prompt's time of day, colours and weather. */
export function recolour(
  context: SKRSContext2D,
  width: number,
  height: number,
  prompt: string,
  seed: number,
): void {
  const requested = readSceneRequest(prompt);
  const palette = paletteOf(requested);
  const light = context.createLinearGradient(0, 0, width * 0.3, height);
  light.addColorStop(0, css(palette.skyMiddle, 1));
  light.addColorStop(0.55, css(palette.skyLow, 1));
  light.addColorStop(1, css(mix(palette.near, palette.far, 0.5), 1));
  for (const [blend, alpha] of [
    ["color", 0.5],
    ["soft-light", 0.6],
  ] as const) {
    context.globalCompositeOperation = blend;
    context.globalAlpha = alpha;
    context.fillStyle = light;
    context.fillRect(0, 0, width, height);
  }
  context.globalAlpha = 1;
  context.globalCompositeOperation = "source-over";
  if (requested.weather.fog || requested.weather.snow) {
    context.fillStyle = css(palette.horizon, 0.3);
    context.fillRect(0, 0, width, height);
  }
  addGrain(context, width, height, seed, 0.1);
}

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
