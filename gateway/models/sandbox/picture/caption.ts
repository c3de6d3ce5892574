import type { SKRSContext2D } from "@napi-rs/canvas";
import type { Caption } from "../jobs/spec.ts";
import { markText } from "../mark.ts";
import type { Box } from "./encode.ts";
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
