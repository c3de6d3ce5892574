import { readFile } from "node:fs/promises";
import path from "node:path";
import type { SharpOptions } from "sharp";
import type { JobContext } from "../child/job-context.ts";
import { paramOf } from "../failure.ts";
import { decodeArguments, userInput } from "../ffmpeg/arguments.ts";
import { runFfmpeg } from "../ffmpeg/run.ts";
import type { Probed } from "../video/media.ts";

/** The bytes of an input picture in a format that sharp reads; BMP is converted by ffmpeg. */
export async function loadPicture(
  job: JobContext,
  picture: Probed,
): Promise<{ data: Buffer; options: SharpOptions }> {
  const { name } = picture.media;
  if (picture.demuxer === null) return { data: await readFile(path.join(job.folder, name)), options: {} };
  const raw = `${name}.rgba`;
  const { width, height } = picture;
  await runFfmpeg(job.ffmpeg, {
    folder: job.folder,
    args: decodeArguments(userInput(name, picture.demuxer), [
      "-frames:v",
      "1",
      "-pix_fmt",
      "rgba",
      "-f",
      "rawvideo",
      raw,
    ]),
    reads: [name],
    writes: [raw],
    param: paramOf(picture.media.path),
  });
  return {
    data: await readFile(path.join(job.folder, raw)),
    options: { raw: { width, height, channels: 4 } },
  };
}
