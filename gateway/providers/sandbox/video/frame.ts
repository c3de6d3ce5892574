import type { VideoTask } from "../jobs/spec.ts";
import type { Probed } from "./media.ts";
import { frameOf } from "./size.ts";

const defaultSeconds = 5;
const widescreen = 16 / 9;

/** The size and length of the video: as asked, or as its first input has them. */
export function planFrame(
  task: VideoTask,
  media: Probed[],
): { width: number; height: number; seconds: number } {
  return { ...sizeOf(task, media), seconds: secondsOf(task, media) };
}

function sizeOf(task: VideoTask, media: Probed[]): { width: number; height: number } {
  if (task.frame.kind === "exact") return { width: task.frame.width, height: task.frame.height };
  const first = media.find((item) => item.width > 0 && item.height > 0);
  const ratio = first ? first.width / first.height : widescreen;
  return frameOf(task.frame.shortSide, Math.min(4, Math.max(0.25, ratio)));
}

function secondsOf(task: VideoTask, media: Probed[]): number {
  const longest = Math.max(0, ...media.filter((item) => item.hasVideo).map((item) => item.duration));
  if (task.scene === "upscale" || task.scene === "edit") {
    const own = longest || defaultSeconds;
    return Math.min(task.duration ?? own, own, task.maxSeconds);
  }
  const wanted = task.duration ?? (longest || defaultSeconds);
  return Math.round(Math.min(Math.max(1, wanted), task.maxSeconds));
}
