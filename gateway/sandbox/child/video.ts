import { rm, stat } from "node:fs/promises";
import path from "node:path";
import { frameOf, type JobContext, type JobResult, type MediaRole, type VideoTask } from "../jobs/spec.ts";
import { composeMovie } from "../video/compose.ts";
import { type Probed, probe } from "../video/media.ts";
import { writeMovie } from "../video/movie.ts";

const output = "out-0.mp4";

const toleranceSeconds = 0.35;

const defaultSeconds = 5;

const longestEditSeconds = 30;

const widescreen = 16 / 9;

/** Makes one video: measures the inputs, draws the sheets, encodes them and checks the result. */
export async function makeVideo(task: VideoTask, job: JobContext): Promise<JobResult> {
  await job.progress(1);
  const media = [];
  for (const item of job.media) media.push(await probe(job.folder, item));
  const frame = planFrame(task, media);
  const movie = await composeMovie(job, task, frame, media);
  await job.progress(15);
  await writeMovie(job, { ...movie, ...frame, output });
  const files = movie.sheets.flatMap((sheet) => (sheet.kind === "still" ? [sheet.raster.name] : []));
  await Promise.all(files.map((name) => rm(`${job.folder}/${name}`, { force: true })));
  const checked = await checkMovie(job.folder, output, { ...frame, audio: movie.sounds.length > 0 });
  return { outputs: [{ name: output, contentType: "video/mp4", ...checked }], data: {} };
}

/** The size and length of the video: as requested, or those of its first input. */
function planFrame(task: VideoTask, media: Probed[]): { width: number; height: number; seconds: number } {
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

/** Checks a finished video: ffmpeg can exit successfully on a broken input. */
async function checkMovie(
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
