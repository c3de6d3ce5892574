import { stat } from "node:fs/promises";
import path from "node:path";
import { probe } from "./media.ts";

const toleranceSeconds = 0.35;

/** Checks a finished video: ffmpeg can exit successfully on a broken input. */
export async function checkMovie(
  folder: string,
  name: string,
  wanted: { width: number; height: number; seconds: number; audio: boolean },
): Promise<{ width: number; height: number; duration: number }> {
  const { size } = await stat(path.join(folder, name));
  const made = await probe(folder, { path: "/output", kind: "video", role: "base", name });
  const wrong = [
    size < 1000 && "it is empty",
    (made.width !== wanted.width || made.height !== wanted.height) && `it is ${made.width}x${made.height}`,
    Math.abs(made.duration - wanted.seconds) > toleranceSeconds && `it lasts ${made.duration.toFixed(2)} s`,
    made.hasAudio !== wanted.audio && "it has no sound track, or one that was not requested",
  ].filter(Boolean);
  if (wrong.length > 0) throw new Error(`The finished video is not as planned: ${wrong.join(", ")}`);
  return { width: made.width, height: made.height, duration: Math.round(made.duration * 1000) / 1000 };
}
