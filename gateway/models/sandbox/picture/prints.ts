import type { Canvas, SKRSContext2D } from "@napi-rs/canvas";
import type { Box } from "./encode.ts";
import { setFont } from "./text.ts";

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
