import { rm } from "node:fs/promises";
import type { JobResult, VideoTask } from "../jobs/spec.ts";
import { checkMovie } from "../video/check.ts";
import { composeMovie } from "../video/compose.ts";
import { planFrame } from "../video/frame.ts";
import { probe } from "../video/media.ts";
import { writeMovie } from "../video/movie.ts";
import type { JobContext } from "./job-context.ts";

const output = "out-0.mp4";

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
