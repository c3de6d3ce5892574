import type { MediaRole, VideoTask } from "../jobs/spec.ts";
import type { Probed } from "./media.ts";
import { frameOf } from "./size.ts";

const defaultSeconds = 5;
const longestEditSeconds = 30;
const widescreen = 16 / 9;

/** The size and length of the video: as requested, or those of its first input. */
export function planFrame(
  task: VideoTask,
  media: Probed[],
): { width: number; height: number; seconds: number } {
  return { ...sizeOf(task, media), seconds: secondsOf(task, media) };
}

function sizeOf(task: VideoTask, media: Probed[]): { width: number; height: number } {
  if (task.frame.kind === "exact") return { width: task.frame.width, height: task.frame.height };
  const first = ofRole(media, "base") ?? ofRole(media, "first") ?? media.find((item) => item.width > 0);
  const ratio = first ? first.width / first.height : widescreen;
  return frameOf(task.frame.shortSide, Math.min(4, Math.max(0.25, ratio)));
}

function ofRole(media: Probed[], role: MediaRole): Probed | undefined {
  return media.find((item) => item.media.role === role && item.width > 0);
}

function secondsOf(task: VideoTask, media: Probed[]): number {
  const longest = Math.max(0, ...media.filter((item) => item.hasVideo).map((item) => item.duration));
  const base = media.find((item) => item.hasVideo && item.media.role === "base");
  // An upscaled clip keeps its length or is cut; an edited one that is too short is frozen at its last frame.
  if (base && task.scene === "upscale") return Math.min(task.duration ?? base.duration, base.duration);
  if (base && task.scene === "edit") return Math.min(task.duration ?? base.duration, longestEditSeconds);
  const wanted = task.duration ?? (longest || defaultSeconds);
  return Math.round(Math.min(Math.max(1, wanted), task.maxSeconds));
}
