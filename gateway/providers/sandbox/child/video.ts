import { rm } from "node:fs/promises";
import type { JobResult, VideoTask } from "../jobs/spec.ts";
import { checkMovie } from "../video/check.ts";
import { composeMovie } from "../video/compose.ts";
import { planFrame } from "../video/frame.ts";
import { probe } from "../video/media.ts";
import { writeMovie } from "../video/movie.ts";
import type { Desk } from "./desk.ts";

const output = "out-0.mp4";

/** Makes one video: measures the inputs, draws the sheets, encodes, and looks at what came out. */
export async function makeVideo(task: VideoTask, desk: Desk): Promise<JobResult> {
  await desk.progress(1);
  const media = [];
  for (const item of desk.media) media.push(await probe(desk.folder, item));
  const frame = planFrame(task, media);
  const movie = await composeMovie(desk, task, frame, media);
  await desk.progress(15);
  await writeMovie(desk, { ...movie, ...frame, output });
  const files = movie.sheets.flatMap((sheet) => (sheet.kind === "still" ? [sheet.raster.name] : []));
  await Promise.all(files.map((name) => rm(`${desk.folder}/${name}`, { force: true })));
  const checked = await checkMovie(desk.folder, output, { ...frame, audio: movie.sounds.length > 0 });
  return { outputs: [{ name: output, contentType: "video/mp4", ...checked }], data: {} };
}
