import { stat } from "node:fs/promises";
import path from "node:path";
import type { FfmpegBackend } from "#gateway/files/ffmpeg/detect.ts";
import { coreInputBytes, type FfmpegRun, runFfmpeg as runBackend } from "#gateway/files/ffmpeg/run.ts";
import { badInput, SandboxFailure } from "./failure.ts";
import { framesPerSecond, inputSeconds, outputBytes, videoPixels } from "./limits.ts";
import { markText } from "./mark.ts";

/** A run of ffmpeg. `param` is the field that an error names if the input cannot be read. */
interface SandboxRun extends FfmpegRun {
  param: string | null;
}

/** Runs ffmpeg on this machine's backend; returns its log. */
export async function runFfmpeg(backend: FfmpegBackend, run: SandboxRun): Promise<string> {
  if (backend.kind === "none")
    throw new SandboxFailure(
      "service_unavailable",
      "This needs ffmpeg: install it (on Debian: apt-get install ffmpeg), or run npm i @ffmpeg/core.",
    );
  if (backend.kind === "core")
    for (const name of run.reads) {
      const { size } = await stat(path.join(run.folder, name));
      if (size > coreInputBytes && name.startsWith("in-"))
        throw new SandboxFailure(
          "input_too_large",
          "Without an installed ffmpeg the sandbox accepts media files of up to 100 MB. Install ffmpeg for larger ones.",
          run.param,
        );
    }
  const { ok, log } = await runBackend(backend, run);
  if (ok) return log;
  if (run.param)
    throw badInput(
      "The media file could not be decoded: it is damaged or of an unsupported type.",
      run.param,
    );
  throw new Error(`ffmpeg failed: ${log.slice(-2000)}`);
}

/** Every demuxer that user media may reach. Playlists and concat scripts, which open other files, are left out. */
const demuxers = "mov,mp4,matroska,webm,mpegts,wav,mp3,ogg,flac,aac,rawvideo,bmp_pipe";

/** One input of a run. */
export interface FfmpegInput {
  name: string;
  args: string[];
}

/** A user's file: its demuxer is fixed, it cannot open other files, and only a limited part of it is read. */
export function userInput(name: string, demuxer: string, seconds = inputSeconds): FfmpegInput {
  return {
    name,
    args: [
      "-protocol_whitelist",
      "file",
      "-format_whitelist",
      demuxers,
      "-max_pixels",
      String(videoPixels),
      "-f",
      demuxer,
      "-t",
      String(seconds),
      "-i",
      `file:${name}`,
    ],
  };
}

/** One frame of raw RGBA, drawn by the sandbox. */
export function rasterInput(raster: { name: string; width: number; height: number }): FfmpegInput {
  return {
    name: raster.name,
    args: [
      "-f",
      "rawvideo",
      "-pixel_format",
      "rgba",
      "-video_size",
      `${raster.width}x${raster.height}`,
      "-framerate",
      String(framesPerSecond),
      "-i",
      `file:${raster.name}`,
    ],
  };
}

/** A WAV file made by the sandbox. */
export function soundInput(name: string): FfmpegInput {
  return { name, args: ["-f", "wav", "-i", `file:${name}`] };
}

const quiet = ["-hide_banner", "-loglevel", "warning", "-y"];

/** The arguments that write one MP4 of exactly `seconds` from the labels `video` and `audio` of the graph. */
export function movieArguments(
  backend: FfmpegBackend,
  movie: {
    inputs: FfmpegInput[];
    graph: string;
    audio: boolean;
    seconds: number;
    pixels: number;
    output: string;
  },
): string[] {
  return [
    ...quiet,
    ...movie.inputs.flatMap((input) => input.args),
    "-filter_complex",
    movie.graph,
    "-map",
    "[video]",
    ...(movie.audio ? ["-map", "[audio]", "-c:a", "aac", "-b:a", "128k", "-ar", "48000", "-ac", "2"] : []),
    "-sn",
    "-dn",
    "-map_metadata",
    "-1",
    "-map_chapters",
    "-1",
    ...encoderArguments(backend, movie.pixels),
    "-t",
    String(movie.seconds),
    "-fs",
    String(outputBytes),
    "-metadata",
    `comment=${markText}`,
    "-fflags",
    "+bitexact",
    "-flags:v",
    "+bitexact",
    "-flags:a",
    "+bitexact",
    "-movflags",
    "+faststart",
    "-f",
    "mp4",
    movie.output,
  ];
}

const fourKPixels = 3840 * 2160;

/** Without `mbtree=0` x264 does not always write the same bytes for the same frames (seen under load). */
function encoderArguments(backend: FfmpegBackend, pixels: number): string[] {
  const encoder = backend.kind === "native" ? backend.encoder : "libx264";
  const preset = backend.kind === "core" || pixels >= fourKPixels ? "ultrafast" : "veryfast";
  return [
    "-c:v",
    encoder,
    ...(encoder === "libx264"
      ? ["-preset", preset, "-crf", "22", "-x264-params", "mbtree=0"]
      : ["-b:v", String(Math.round(pixels * 3))]),
    "-pix_fmt",
    "yuv420p",
    "-r",
    String(framesPerSecond),
    "-g",
    String(framesPerSecond),
    "-colorspace",
    "bt709",
    "-color_primaries",
    "bt709",
    "-color_trc",
    "bt709",
    "-color_range",
    "tv",
    "-threads",
    "2",
  ];
}

/** The arguments of a run that only decodes. `rest` says whether the output is discarded or written raw. */
export function decodeArguments(input: FfmpegInput, rest: string[]): string[] {
  return ["-hide_banner", "-loglevel", "info", "-y", ...input.args, ...rest];
}
