import { type Canvas, createCanvas } from "@napi-rs/canvas";
import type { Caption } from "../jobs/spec.ts";
import { markText } from "../mark.ts";
import { drawable, oneLine, setFont, wrap } from "./text.ts";

const ink = "#12141b";

/** The height of the opaque footer with the mark for a picture of this size, at most half of it. */
export function footerHeight(width: number, height: number): number {
  const wanted = Math.max(58, Math.min(height * 0.24, Math.sqrt(width * height) * 0.105));
  return Math.round(Math.min(wanted, height / 2));
}

/**
 * Writes mark and caption on an opaque strip: inputs may be sandbox pictures themselves, and their
 * own captions must not show through.
 */
export function drawFooter(canvas: Canvas, top: number, caption: Caption): void {
  const { width } = canvas;
  const height = canvas.height - top;
  const context = canvas.getContext("2d");
  context.fillStyle = ink;
  context.fillRect(0, top, width, height);
  context.fillStyle = "#ffb020";
  context.fillRect(0, top, width, Math.max(2, Math.round(height * 0.028)));
  const size = Math.max(8, Math.min(height * 0.165, width / 30));
  const left = size * 1.4;
  const most = width - left * 2;
  let y = top + height * 0.12 + size * 0.95;
  context.beginPath();
  context.arc(left + size * 0.35, y - size * 0.36, size * 0.32, 0, Math.PI * 2);
  context.fill();
  setFont(context, size, 650);
  context.fillStyle = "#ffffff";
  const mark = drawable(markText);
  context.fillText(mark, left + size, y);
  const used = size + context.measureText(mark).width + size;
  setFont(context, size * 0.86, 500);
  context.fillStyle = "rgba(255,255,255,0.66)";
  context.textAlign = "right";
  context.fillText(oneLine(context, caption.title, Math.max(0, most - used)), width - left, y);
  context.textAlign = "left";
  const lines: [string, number, string][] = [];
  setFont(context, size * 1.02, 550);
  for (const line of wrap(context, caption.text, most, 2)) lines.push([line, 550, "#ffffff"]);
  for (const note of caption.notes) lines.push([note, 450, "rgba(255,255,255,0.7)"]);
  for (const [text, weight, color] of lines) {
    y += size * 1.34;
    if (y > canvas.height - size * 0.35) return;
    setFont(context, size * (weight > 500 ? 1.02 : 0.86), weight);
    context.fillStyle = color;
    context.fillText(oneLine(context, text, most), left, y);
  }
}

/** A canvas of this height with the picture and, below it, the footer. */
export function withFooter(picture: Canvas, height: number, caption: Caption): Canvas {
  const canvas = createCanvas(picture.width, height);
  canvas.getContext("2d").drawImage(picture, 0, 0);
  drawFooter(canvas, picture.height, caption);
  return canvas;
}
