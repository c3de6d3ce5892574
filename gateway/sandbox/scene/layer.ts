import type { SKRSContext2D } from "@napi-rs/canvas";
import type { Random } from "../seed.ts";
import type { Palette } from "./palette.ts";
import type { SceneRequest } from "./scene-request.ts";

/** One sheet of a scene. Videos move the sheets at different speeds, pictures stack them. */
export interface Layer {
  /** 0 is at infinity and does not move, 1 is nearest. */
  depth: number;
  /** The part of the height it touches, 0 (top) .. 1 (bottom). */
  top: number;
  bottom: number;
  /** Draws it `sheet.width` wide; the visible picture is as large as `view`. */
  draw(context: SKRSContext2D, sheet: Sheet): void;
}

/** The size of the drawing. A sheet of a video is wider than its visible part. */
export interface Sheet {
  width: number;
  height: number;
  view: { width: number; height: number };
  /** The unit of strokes, trees and windows. */
  unit: number;
}

/** Everything that a layer needs to know to draw itself. */
export interface Setting {
  requested: SceneRequest;
  palette: Palette;
  random: Random;
  /** 0.4 (few stars, ridges, windows) .. 1.4 (many). */
  detail: number;
  /** The position of sun or moon, as fractions of the view. */
  light: { x: number; y: number };
  /** Where sky and ground meet, as a fraction of the height. */
  horizon: number;
}
