import { type Canvas, createCanvas, type SKRSContext2D } from "@napi-rs/canvas";
import type { EditTask, JobResult } from "../jobs/spec.ts";
import { canvasOf } from "../picture/canvas-of.ts";
import { encodePicture } from "../picture/encode.ts";
import { footerHeight, withFooter } from "../picture/footer.ts";
import { drawPrint } from "../picture/prints.ts";
import { css, mix } from "../scene/color.ts";
import { addGrain } from "../scene/finish.ts";
import { paletteOf } from "../scene/palette.ts";
import { readSceneRequest } from "../scene/scene-request.ts";
import { randomFrom } from "../seed.ts";
import { probe } from "../video/media.ts";
import type { JobContext } from "./job-context.ts";

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
