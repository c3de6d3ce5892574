import { writeFile } from "node:fs/promises";
import { type Canvas, createCanvas, type SKRSContext2D } from "@napi-rs/canvas";
import {
  type FfmpegInput,
  movieArguments,
  rasterInput,
  runFfmpeg,
  soundInput,
  userInput,
} from "../ffmpeg.ts";
import type { JobContext } from "../jobs/spec.ts";
import { framesPerSecond } from "../limits.ts";
import { type Box, canvasOf } from "../picture/canvas.ts";
import type { Probed } from "./media.ts";

/** A position that may move: an ffmpeg expression of `n`, the frame number. Never contains a user's text. */
export type Place = string;

/** One still of a movie, as raw RGBA in the job folder. */
interface Raster {
  name: string;
  width: number;
  height: number;
}

/** One sheet of a movie, from back to front. Positions are even numbers: colour has half the resolution. */
export type Sheet =
  | {
      kind: "still";
      raster: Raster;
      x: Place;
      y: Place;
      /**
       * The top left corner of the visible part, which is as large as the frame. The corner can move by
       * single pixels.
       */
      view?: { x: Place; y: Place };
      fadeIn?: { seconds: number; at: number };
    }
  | ({ kind: "clip"; fit: "cover" | "inside" | "stretch" } & ClipSheet)
  /** A clip whose colours change behind a line that moves across it. */
  | ({ kind: "wipe"; grade: Grade } & ClipSheet);

interface ClipSheet {
  clip: Probed;
  width: number;
  height: number;
  x: Place;
  y: Place;
}

/** A colour change of a clip: red, green and blue -1..1, saturation around 1, brightness around 0. */
export interface Grade {
  red: number;
  green: number;
  blue: number;
  saturation: number;
  brightness: number;
}

/** A sound: the sandbox's own WAV, or an input's. */
export type Sound =
  | { kind: "made"; name: string; volume: number }
  | { kind: "input"; source: Probed; volume: number };

export interface Movie {
  width: number;
  height: number;
  seconds: number;
  sheets: Sheet[];
  sounds: Sound[];
  output: string;
  /** The field that an error names if this input cannot be decoded. */
  param: string | null;
}

/** Stacks the sheets, mixes the sounds and writes the MP4. */
export async function writeMovie(job: JobContext, movie: Movie): Promise<void> {
  const inputs: FfmpegInput[] = [];
  const add = (input: FfmpegInput) => inputs.push(input) - 1;
  const graph = [...videoGraph(movie, job, add), ...audioGraph(movie, add)].join(";");
  await runFfmpeg(job.ffmpeg, {
    folder: job.folder,
    args: movieArguments(job.ffmpeg, {
      inputs,
      graph,
      audio: movie.sounds.length > 0,
      seconds: movie.seconds,
      pixels: movie.width * movie.height,
      output: movie.output,
    }),
    reads: [...new Set(inputs.map((input) => input.name))],
    writes: [movie.output],
    progress: (seconds) => void job.progress(15 + 80 * Math.min(1, seconds / movie.seconds)),
    param: movie.param,
  });
}

function videoGraph(movie: Movie, job: JobContext, add: (input: FfmpegInput) => number): string[] {
  const lines: string[] = [];
  let below: string | null = null;
  movie.sheets.forEach((sheet, index) => {
    const label = `s${index}`;
    lines.push(...sheetLines(sheet, label, add, job, movie));
    if (below === null) {
      below = label;
      return;
    }
    lines.push(
      `[${below}][${label}]overlay=x='${sheet.x}':y='${sheet.y}':format=yuv420:eval=frame[v${index}]`,
    );
    below = `v${index}`;
  });
  lines.push(`[${below ?? "s0"}]format=yuv420p,setsar=1[video]`);
  return lines;
}

function sheetLines(
  sheet: Sheet,
  label: string,
  add: (input: FfmpegInput) => number,
  job: JobContext,
  movie: Movie,
): string[] {
  const { seconds } = movie;
  if (sheet.kind === "still") {
    const input = add(rasterInput(sheet.raster));
    const fade = sheet.fadeIn ? `,fade=t=in:st=${sheet.fadeIn.at}:d=${sheet.fadeIn.seconds}:alpha=1` : "";
    const part = sheet.view
      ? `,crop=${movie.width}:${movie.height}:'${sheet.view.x}':'${sheet.view.y}',format=yuva420p`
      : "";
    const format = sheet.view ? "yuva444p" : "yuva420p";
    return [
      `[${input}:v]scale=out_color_matrix=bt709:out_range=tv,format=${format},loop=loop=-1:size=1,setpts=N/(${framesPerSecond}*TB)${part}${fade}[${label}]`,
    ];
  }
  const { clip, width, height } = sheet;
  const input = add(userInput(clip.media.name, clip.demuxer ?? "mov", seconds + 1));
  const chain = `[${input}:v:0]fps=${framesPerSecond},${scaling(sheet, job)},setsar=1,format=yuv420p,setpts=PTS-STARTPTS,tpad=stop_mode=clone:stop_duration=${seconds},trim=end_frame=${Math.ceil(seconds * framesPerSecond) + 1}`;
  if (sheet.kind === "clip") return [`${chain}[${label}]`];
  const { red, green, blue, saturation, brightness } = sheet.grade;
  return [
    `${chain},settb=AVTB,split[${label}a][${label}b]`,
    `[${label}b]colorbalance=rm=${red}:gm=${green}:bm=${blue}:rh=${red / 2}:gh=${green / 2}:bh=${blue / 2},eq=saturation=${saturation}:brightness=${brightness},scale=${width}:${height},format=yuv420p,settb=AVTB[${label}c]`,
    `[${label}a][${label}c]xfade=transition=wiperight:duration=${seconds}:offset=0[${label}]`,
  ];
}

/** The WebAssembly backend uses the cheaper scaling algorithm. */
function scaling(sheet: Exclude<Sheet, { kind: "still" }>, job: JobContext): string {
  const { width, height } = sheet;
  const flags = job.ffmpeg.kind === "native" ? "lanczos" : "bilinear";
  const fit = sheet.kind === "clip" ? sheet.fit : "cover";
  const scale = `scale=${width}:${height}:flags=${flags}:out_color_matrix=bt709:out_range=tv`;
  if (fit === "stretch") return scale;
  if (fit === "cover") return `${scale}:force_original_aspect_ratio=increase,crop=${width}:${height}`;
  return `${scale}:force_original_aspect_ratio=decrease,pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2:color=0x10131a`;
}

function audioGraph(movie: Movie, add: (input: FfmpegInput) => number): string[] {
  if (movie.sounds.length === 0) return [];
  const lines = movie.sounds.map((sound, index) => {
    const input = add(
      sound.kind === "made"
        ? soundInput(sound.name)
        : userInput(sound.source.media.name, sound.source.demuxer ?? "wav", movie.seconds),
    );
    return `[${input}:a:0]aresample=48000,aformat=sample_fmts=fltp:channel_layouts=stereo,volume=${sound.volume}[a${index}]`;
  });
  const labels = movie.sounds.map((_, index) => `[a${index}]`).join("");
  const mixed =
    movie.sounds.length === 1
      ? labels
      : `${labels}amix=inputs=${movie.sounds.length}:duration=longest:normalize=0,`;
  return [...lines, `${mixed}alimiter=limit=0.9:level=0,apad,atrim=end=${movie.seconds}[audio]`];
}

export async function rasterOf(job: JobContext, name: string, canvas: Canvas): Promise<Raster> {
  const { width, height } = canvas;
  const pixels = canvas.getContext("2d").getImageData(0, 0, width, height).data;
  await writeFile(`${job.folder}/${name}`, pixels);
  return { name, width, height };
}

/** Draws on a sheet as large as the frame and keeps only the part that was drawn on. */
export async function partRaster(
  job: JobContext,
  name: string,
  frame: { width: number; height: number },
  paint: (context: SKRSContext2D) => Box,
): Promise<{ raster: Raster; left: number; top: number }> {
  const sheet = createCanvas(frame.width, frame.height);
  const box = paint(sheet.getContext("2d"));
  const left = evenBelow(box.left);
  const top = evenBelow(box.top);
  const width = Math.min(frame.width - left, Math.ceil(box.width) + 5);
  const height = Math.min(frame.height - top, Math.ceil(box.height) + 5);
  const part = createCanvas(width, height);
  part.getContext("2d").drawImage(sheet, -left, -top);
  return { raster: await rasterOf(job, name, part), left, top };
}

/** An even number that leaves a margin of at least two pixels before this place. */
function evenBelow(place: number): number {
  return Math.max(0, Math.floor(place / 2) * 2 - 2);
}

/** An input picture, upright, scaled to cover the given size. */
export async function pictureRaster(
  job: JobContext,
  name: string,
  picture: Probed,
  size: { width: number; height: number },
  paint?: (context: SKRSContext2D) => void,
): Promise<Raster> {
  const canvas = await canvasOf(job, picture, { ...size, fit: "cover" });
  paint?.(canvas.getContext("2d"));
  return rasterOf(job, name, canvas);
}
