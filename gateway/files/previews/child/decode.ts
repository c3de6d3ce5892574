import type { FfmpegBackend } from "#gateway/files/ffmpeg/detect.ts";
import { runFfmpeg } from "#gateway/files/ffmpeg/run.ts";
import { inputPixels } from "../job.ts";

interface Decoding {
  folder: string;
  ffmpeg: FfmpegBackend;
  /** The demuxer is fixed, whatever the file pretends to be. */
  demuxer: string;
  input: string;
  /** Arguments for the output. */
  rest: string[];
  output: string;
}

/** Decodes a file of the folder with ffmpeg, which may open no other file. Throws on failure. */
export async function decode({ folder, ffmpeg, demuxer, input, rest, output }: Decoding): Promise<void> {
  if (ffmpeg.kind === "none") throw new Error("ffmpeg is not available");
  const opened = ["-protocol_whitelist", "file", "-max_pixels", String(inputPixels), "-f", demuxer];
  const { ok, log } = await runFfmpeg(ffmpeg, {
    folder,
    args: ["-hide_banner", "-loglevel", "error", "-y", ...opened, "-i", `file:${input}`, ...rest, output],
    reads: [input],
    writes: [output],
  });
  if (!ok) throw new Error(`ffmpeg: ${log.trim().slice(-300)}`);
}
