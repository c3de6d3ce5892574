import { copyFile, link, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { FfmpegBackend } from "#gateway/files/ffmpeg/detect.ts";
import type { ResolvedMedia } from "#gateway/models/providers/provider.ts";
import type { JobMedia, JobResult, MediaRole, Task } from "./spec.ts";

/** A media input with its role in the job. */
export interface AssignedMedia {
  media: ResolvedMedia;
  role: MediaRole;
}

/**
 * Creates the folder of one attempt, with the spec and the inputs. Inputs are linked, so that they remain
 * when the request's own files are deleted.
 */
export async function prepareFolder(
  folder: string,
  job: { task: Task; media: AssignedMedia[]; ffmpeg: FfmpegBackend },
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const media: JobMedia[] = [];
  for (const [index, { media: input, role }] of job.media.entries()) {
    const name = `in-${index}`;
    await link(input.file, path.join(folder, name)).catch(() =>
      copyFile(input.file, path.join(folder, name)),
    );
    media.push({ path: input.path, kind: input.kind, role, name });
  }
  await writeFile(
    path.join(folder, "job.json"),
    JSON.stringify({ task: job.task, media, ffmpeg: job.ffmpeg }),
    {
      mode: 0o600,
    },
  );
}

/** The result of an attempt; null if it did not finish. */
export async function readResult(folder: string): Promise<JobResult | null> {
  try {
    return JSON.parse(await readFile(path.join(folder, "result.json"), "utf8"));
  } catch {
    return null;
  }
}

/** Keeps the outputs and the result of a finished attempt, removes everything else. */
export async function tidyFolder(folder: string, result: JobResult): Promise<void> {
  const keep = new Set(["result.json", ...result.outputs.map((output) => output.name)]);
  for (const name of await readdir(folder))
    if (!keep.has(name)) await rm(path.join(folder, name), { force: true });
}
