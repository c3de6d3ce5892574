import { type Canvas, createCanvas, type SKRSContext2D } from "@napi-rs/canvas";
import type { Caption } from "../jobs/spec.ts";
import { markText } from "../mark.ts";
import type { Box } from "./canvas.ts";
import { drawable, oneLine, setFont, wrap } from "./text.ts";

const amber = "#ffb020";

const glass = "rgba(10,12,20,0.66)";

/** The card is opaque when it covers an input, which may be a sandbox picture with its own card. */
const solid = "#10131b";

const edge = "rgba(255,255,255,0.16)";

/** The unit of all caption sizes in a picture. */
function stepOf(width: number, height: number): number {
  const side = Math.sqrt(width * height);
  return Math.max(7, Math.min(side / (side < 720 ? 54 : 62), width / 24, height / 22));
}

function panel(
  context: SKRSContext2D,
  x: number,
  y: number,
  width: number,
  height: number,
  radius: number,
  opaque: boolean,
): void {
  context.beginPath();
  context.roundRect(x, y, width, height, radius);
  context.fillStyle = opaque ? solid : glass;
  context.fill();
  context.strokeStyle = edge;
  context.lineWidth = Math.max(1, radius / 14);
  context.stroke();
}

/** The pill "● SANDBOX · no model ran" in the upper left corner. */
export function drawPill(context: SKRSContext2D, width: number, height: number, opaque = false): Box {
  const step = stepOf(width, height);
  const margin = step * 1.5;
  const size = step * 0.95;
  setFont(context, size, 600);
  context.letterSpacing = `${size * 0.02}px`;
  const text = drawable(markText);
  const inner = context.measureText(text).width + size * 1.25;
  const tall = size * 2.1;
  panel(context, margin, margin, inner + size * 1.7, tall, tall / 2, opaque);
  const middle = margin + tall / 2;
  context.fillStyle = "rgba(255,176,32,0.28)";
  context.beginPath();
  context.arc(margin + size * 1.15, middle, size * 0.52, 0, Math.PI * 2);
  context.fill();
  context.fillStyle = amber;
  context.beginPath();
  context.arc(margin + size * 1.15, middle, size * 0.3, 0, Math.PI * 2);
  context.fill();
  context.fillStyle = "#ffffff";
  context.fillText(text, margin + size * 2.05, middle + size * 0.36);
  context.letterSpacing = "0px";
  return { left: margin, top: margin, width: inner + size * 1.7, height: tall };
}

/** The card in the lower left corner: prompt, model and settings. */
export function drawCaption(
  context: SKRSContext2D,
  width: number,
  height: number,
  caption: Caption,
  opaque = false,
): Box {
  const step = stepOf(width, height);
  const margin = step * 1.5;
  const padding = step * 1.25;
  const most = Math.min(width - margin * 2, step * 40) - padding * 2;
  const rows = layOut(context, caption, step, most);
  const inner = Math.max(...rows.map((row) => row.width));
  const tall = rows.reduce((sum, row) => sum + row.height, 0) + padding * 1.7;
  const left = margin;
  const top = height - margin - tall;
  panel(context, left, top, inner + padding * 2, tall, step * 0.9, opaque);
  let y = top + padding * 0.85;
  for (const row of rows) {
    setFont(context, row.size, row.weight);
    context.fillStyle = row.color;
    const baseline = y + row.height * 0.72;
    context.fillText(row.text, left + padding, baseline);
    if (row.struck)
      context.fillRect(left + padding, baseline - row.size * 0.3, row.width, Math.max(1, row.size / 14));
    y += row.height;
  }
  return { left, top, width: inner + padding * 2, height: tall };
}

interface Row {
  text: string;
  size: number;
  weight: number;
  color: string;
  height: number;
  width: number;
  struck: boolean;
}

function layOut(context: SKRSContext2D, caption: Caption, step: number, width: number): Row[] {
  const rows: Row[] = [];
  const add = (
    text: string,
    look: { size: number; weight: number; color: string; lines: number; struck?: boolean },
  ) => {
    const size = step * look.size;
    setFont(context, size, look.weight);
    const lines = look.lines === 1 ? [oneLine(context, text, width)] : wrap(context, text, width, look.lines);
    for (const line of lines)
      rows.push({
        text: line,
        size,
        weight: look.weight,
        color: look.color,
        height: size * 1.42,
        width: context.measureText(line).width,
        struck: look.struck ?? false,
      });
  };
  add(caption.title, { size: 0.86, weight: 600, color: "rgba(255,255,255,0.72)", lines: 1 });
  if (caption.text) add(caption.text, { size: 1.18, weight: 600, color: "#ffffff", lines: 3 });
  if (caption.struck)
    add(caption.struck, { size: 0.95, weight: 500, color: "rgba(255,190,190,0.85)", lines: 1, struck: true });
  for (const note of caption.notes)
    add(note, { size: 0.82, weight: 450, color: "rgba(255,255,255,0.74)", lines: 2 });
  return rows;
}

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

/** Draws an input as a slightly rotated paper print with its number. Returns the part of the picture that it covers. */
export function drawPrint(
  context: SKRSContext2D,
  print: Canvas,
  place: { x: number; y: number; number: string; turn: number },
): Box {
  const border = Math.max(2, Math.round(print.width * 0.035));
  const width = print.width + border * 2;
  const height = print.height + border * 2;
  const reach = Math.abs(place.turn) * Math.max(width, height) + border * 4;
  context.save();
  context.translate(place.x + width / 2, place.y + height / 2);
  context.rotate(place.turn);
  context.shadowColor = "rgba(0,0,0,0.45)";
  context.shadowBlur = border * 2.2;
  context.shadowOffsetY = border * 0.6;
  context.fillStyle = "#f7f7f4";
  context.fillRect(-width / 2, -height / 2, width, height);
  context.shadowColor = "rgba(0,0,0,0)";
  context.drawImage(print, -print.width / 2, -print.height / 2);
  drawNumber(
    context,
    -width / 2 + border * 0.4,
    -height / 2 + border * 0.4,
    Math.max(11, border * 3),
    place.number,
  );
  context.restore();
  return {
    left: place.x - reach,
    top: place.y - reach,
    width: width + reach * 2,
    height: height + reach * 2,
  };
}

/** A number on an amber disc. */
export function drawNumber(context: SKRSContext2D, x: number, y: number, size: number, number: string): void {
  context.fillStyle = "#ffb020";
  context.beginPath();
  context.arc(x + size / 2, y + size / 2, size * 0.62, 0, Math.PI * 2);
  context.fill();
  setFont(context, size * 0.72, 700);
  context.textAlign = "center";
  context.fillStyle = "#14161c";
  context.fillText(number, x + size / 2, y + size * 0.76);
  context.textAlign = "left";
}
