import { writeFile } from "node:fs/promises";
import { type Canvas, createCanvas } from "@napi-rs/canvas";
import { badInput, paramOf } from "../failure.ts";
import {
  type Caption,
  even,
  type Frame,
  type JobContext,
  type MediaRole,
  type VideoTask,
} from "../jobs/spec.ts";
import { framesPerSecond } from "../limits.ts";
import { markText } from "../mark.ts";
import { canvasOf } from "../picture/canvas.ts";
import { drawCaption, drawNumber, drawPill } from "../picture/caption.ts";
import { paletteOf } from "../scene/palette.ts";
import { readSceneRequest } from "../scene/scene-request.ts";
import { randomFrom } from "../seed.ts";
import { synthesize } from "../speech/synthesis.ts";
import { presetVoice } from "../speech/voice.ts";
import { chime, writeWave } from "../speech/wave.ts";
import type { Probed } from "./media.ts";
import { type Grade, partRaster, rasterOf, type Sheet, type Sound } from "./movie.ts";
import { cardSheets, panSheet, sceneSheets } from "./sheets.ts";

/** The sheets and sounds of a movie, and the field to name if an input is broken. */
interface Composition {
  sheets: Sheet[];
  sounds: Sound[];
  param: string | null;
}

/** Composes the video of any task from its measured inputs. */
export async function composeMovie(
  job: JobContext,
  task: VideoTask,
  frame: Frame,
  media: Probed[],
): Promise<Composition> {
  const picture = await pictureSheets(job, task, frame, media);
  const overlays = await overlaySheets(job, frame, captionOf(task, frame, media), {
    opaque: media.some((item) => item.width > 0),
    progress: task.scene !== "upscale",
  });
  return {
    sheets: [...picture, ...overlays],
    sounds: await soundsOf(job, task, frame, media),
    param: blame(media),
  };
}

async function pictureSheets(
  job: JobContext,
  task: VideoTask,
  frame: Frame,
  media: Probed[],
): Promise<Sheet[]> {
  const cards = media.filter(({ media: { role } }) => role === "card" || role === "inset");
  switch (task.scene) {
    case "edit": {
      const base = withRole(media, "base");
      if (base)
        return [...(await wipeSheets(job, task, frame, base)), ...(await cardSheets(job, frame, cards))];
      break;
    }
    case "upscale":
      return [clipSheet(needed(media, "base"), frame, "stretch")];
    case "animate":
      return besideSheets(job, frame, needed(media, "first"), needed(media, "base"));
    case "replace":
      return [
        clipSheet(needed(media, "base"), frame, "cover"),
        ...(await cardSheets(job, frame, [needed(media, "first")])),
      ];
    case "compose":
      break;
  }
  return [...(await backdrop(job, task, frame, media)), ...(await cardSheets(job, frame, cards))];
}

async function backdrop(job: JobContext, task: VideoTask, frame: Frame, media: Probed[]): Promise<Sheet[]> {
  const first = withRole(media, "first");
  const last = withRole(media, "last");
  const backwards = task.seed % 2 === 1;
  const sheets: Sheet[] = first
    ? [await panSheet(job, frame, first, { name: "first", backwards, tints: task.tints })]
    : await sceneSheets(job, frame, task.prompt, task.seed);
  if (!last) return sheets;
  const fadeIn = { seconds: Math.max(0.5, frame.seconds * 0.3), at: frame.seconds * 0.45 };
  const over = await panSheet(job, frame, last, {
    name: "last",
    backwards: !backwards,
    fadeIn,
    tints: task.tints,
  });
  return [...sheets, over];
}

function clipSheet(clip: Probed, frame: Frame, fit: "cover" | "stretch"): Sheet {
  return { kind: "clip", clip, fit, width: frame.width, height: frame.height, x: "0", y: "0" };
}

function captionOf(task: VideoTask, frame: Frame, media: Probed[]): Caption {
  const size = `${frame.width} × ${frame.height} · ${Math.round(frame.seconds * 10) / 10} s`;
  const base = withRole(media, "base");
  if (task.scene !== "upscale" || !base) return { ...task.caption, notes: [size, ...task.caption.notes] };
  return {
    ...task.caption,
    text: `scaled ${base.width} × ${base.height} to ${frame.width} × ${frame.height}, no model`,
  };
}

function withRole(media: Probed[], role: MediaRole): Probed | undefined {
  return media.find((item) => item.media.role === role);
}

function needed(media: Probed[], role: MediaRole): Probed {
  const found = withRole(media, role);
  if (!found) {
    const field = role === "base" ? "video" : "image";
    throw badInput(`${field} is required.`, field);
  }
  return found;
}

/** The first input that ffmpeg itself has to decode. */
function blame(media: Probed[]): string | null {
  const clip = media.find((item) => item.demuxer !== null);
  return clip ? paramOf(clip.media.path) : null;
}

/** The mark, the card and the progress bar, in front of everything else. */
async function overlaySheets(
  job: JobContext,
  frame: Frame,
  caption: Caption,
  options: { opaque: boolean; progress: boolean },
): Promise<Sheet[]> {
  const { width, height } = frame;
  const pill = await partRaster(job, "pill", frame, (context) =>
    drawPill(context, width, height, options.opaque),
  );
  const card = await partRaster(job, "card", frame, (context) =>
    drawCaption(context, width, height, caption, options.opaque),
  );
  return [
    { kind: "still", raster: card.raster, x: String(card.left), y: String(card.top) },
    { kind: "still", raster: pill.raster, x: String(pill.left), y: String(pill.top) },
    ...(options.progress ? [await progressSheet(job, frame)] : []),
  ];
}

async function progressSheet(job: JobContext, frame: Frame): Promise<Sheet> {
  const height = even(Math.max(3, frame.height / 180));
  const canvas = createCanvas(frame.width, height);
  const context = canvas.getContext("2d");
  const fill = context.createLinearGradient(0, 0, frame.width, 0);
  fill.addColorStop(0, "rgba(255,176,32,0.35)");
  fill.addColorStop(1, "rgba(255,176,32,0.95)");
  context.fillStyle = fill;
  context.fillRect(0, 0, frame.width, height);
  const frames = Math.round(frame.seconds * framesPerSecond);
  return {
    kind: "still",
    raster: await rasterOf(job, "bar", canvas),
    x: `-W+W*(n+1)/${frames}`,
    y: String(frame.height - height),
  };
}

/** The field with a soundtrack. If it is given, the soundtrack is the video's only sound. */
const soundtrackField = "/audio_url";
const bedVolume = 0.7;

/**
 * The sounds of a video: the edited clip's, else the given soundtrack, else the sandbox's own with those of
 * the inputs mixed in.
 */
async function soundsOf(job: JobContext, task: VideoTask, frame: Frame, media: Probed[]): Promise<Sound[]> {
  if (!task.audio) return [];
  const base = media.find((item) => item.media.role === "base");
  if (base) return base.hasAudio ? [{ kind: "input", source: base, volume: 1 }] : [];
  const given = media.filter((item) => item.media.role === "sound");
  const soundtrack = given.find((item) => item.media.path === soundtrackField);
  if (soundtrack) return [{ kind: "input", source: soundtrack, volume: 1 }];
  const name = "track.wav";
  await writeSoundtrack(job, { name, seconds: frame.seconds, seed: task.seed, speak: task.speak });
  const volume = 1 / Math.sqrt(Math.max(1, given.length));
  return [
    { kind: "made", name, volume: given.length > 0 ? bedVolume : 1 },
    ...given.map((source): Sound => ({ kind: "input", source, volume })),
  ];
}

/** The clip, recoloured by the prompt behind a line that moves across it once. */
async function wipeSheets(job: JobContext, task: VideoTask, frame: Frame, clip: Probed): Promise<Sheet[]> {
  const width = even(Math.max(2, frame.width / 320));
  const line = createCanvas(width, frame.height);
  const context = line.getContext("2d");
  context.fillStyle = "rgba(255,255,255,0.92)";
  context.fillRect(0, 0, width, frame.height);
  const frames = Math.round(frame.seconds * framesPerSecond);
  return [
    { kind: "wipe", clip, grade: gradeOf(task), width: frame.width, height: frame.height, x: "0", y: "0" },
    { kind: "still", raster: await rasterOf(job, "line", line), x: `W*n/${frames}-${width / 2}`, y: "0" },
  ];
}

/** The prompt's colours as colour shifts of a picture; the seed makes them a little stronger or weaker. */
function gradeOf(task: VideoTask): Grade {
  const requested = readSceneRequest(task.prompt);
  const [red, green, blue] = paletteOf(requested).skyLow;
  const middle = (red + green + blue) / 3;
  const strength = randomFrom(`grade ${task.seed}`).between(0.32, 0.48);
  const shift = (channel: number) =>
    round(Math.max(-0.9, Math.min(0.9, ((channel - middle) / 128) * strength)));
  const dark = requested.time === "night" || requested.weather.storm;
  return {
    red: shift(red),
    green: shift(green),
    blue: shift(blue),
    saturation: requested.weather.fog || requested.weather.rain ? 0.7 : 1.25,
    brightness: dark ? -0.14 : requested.time === "day" ? 0.05 : 0,
  };
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/** The still picture, drifting slightly, next to the video whose motion a model would have copied. */
async function besideSheets(job: JobContext, frame: Frame, picture: Probed, clip: Probed): Promise<Sheet[]> {
  const gap = Math.round(frame.width * 0.025);
  const half = even((frame.width - gap * 3) / 2);
  const tall = even(frame.height * 0.66);
  const top = even(frame.height * 0.11);
  const still = await canvasOf(job, picture, { width: half, height: tall, fit: "inside" });
  const scale = Math.min(half / clip.width, tall / clip.height);
  const screen = { width: even(clip.width * scale), height: even(clip.height * scale) };
  const stillLeft = gap + Math.round((half - still.width) / 2);
  const stillTop = top + Math.round((tall - still.height) / 2);
  const drift = Math.max(2, Math.round(frame.height / 120));
  return [
    { kind: "still", raster: await wall(job, frame), x: "0", y: "0" },
    {
      kind: "clip",
      clip,
      fit: "stretch",
      ...screen,
      x: String(gap * 2 + half + Math.round((half - screen.width) / 2)),
      y: String(top + Math.round((tall - screen.height) / 2)),
    },
    {
      kind: "still",
      raster: await rasterOf(job, "still", numbered(still)),
      x: `${stillLeft}+round(${drift}*sin(n/14))`,
      y: `${stillTop}+round(${drift}*cos(n/17))`,
    },
  ];
}

function numbered(still: Canvas): Canvas {
  drawNumber(
    still.getContext("2d"),
    still.width * 0.025,
    still.width * 0.025,
    Math.max(12, still.width * 0.05),
    "1",
  );
  return still;
}

async function wall(job: JobContext, frame: Frame) {
  const canvas = createCanvas(frame.width, frame.height);
  const context = canvas.getContext("2d");
  const light = context.createRadialGradient(
    frame.width / 2,
    frame.height * 0.35,
    0,
    frame.width / 2,
    frame.height / 2,
    frame.width * 0.7,
  );
  light.addColorStop(0, "#2b3140");
  light.addColorStop(1, "#0d1017");
  context.fillStyle = light;
  context.fillRect(0, 0, frame.width, frame.height);
  return rasterOf(job, "wall", canvas);
}

const rate = 48_000;
const leadSeconds = 0.6;
/** Chords that sound calm, as steps above the root. */
const chords: readonly [readonly number[], ...(readonly number[])[]] = [
  [0, 7, 12, 16],
  [0, 5, 9, 14],
  [0, 7, 10, 15],
  [0, 4, 7, 11],
];

/**
 * Writes a soft chord as long as the video, the spoken text over it if there is one, and the chime at the
 * end.
 */
async function writeSoundtrack(
  job: JobContext,
  track: { name: string; seconds: number; seed: number; speak: string | null },
): Promise<void> {
  const samples = pad(track.seconds, track.seed);
  if (track.speak) {
    const { wave } = await synthesize(track.speak, presetVoice(`narrator ${track.seed % 7}`));
    add(
      samples,
      resample(wave.samples, wave.rate),
      Math.round(leadSeconds * rate),
      0.85,
      track.seconds - 0.7,
    );
  }
  const bell = chime(rate);
  add(samples, bell, Math.max(0, samples.length - bell.length), 0.9, track.seconds);
  await writeFile(`${job.folder}/${track.name}`, writeWave(samples, rate, markText));
}

function pad(seconds: number, seed: number): Float32Array {
  const random = randomFrom(`chord ${seed}`);
  const root = 98 * 2 ** (random.whole(0, 7) / 12);
  const chord = random.pick(chords);
  const samples = new Float32Array(Math.round(seconds * rate));
  const voices = chord.map((step) => ({
    turn: (2 * Math.PI * root * 2 ** (step / 12)) / rate,
    drift: (2 * Math.PI * random.between(0.07, 0.21)) / rate,
    phase: random.between(0, 6),
  }));
  const edge = Math.min(1.2, seconds / 4) * rate;
  for (let index = 0; index < samples.length; index++) {
    const shape = Math.min(1, index / edge, (samples.length - index) / edge);
    let sum = 0;
    for (const { turn, drift, phase } of voices)
      sum +=
        (0.6 + 0.4 * Math.sin(drift * index + phase)) *
        (Math.sin(turn * index) + 0.18 * Math.sin(2.003 * turn * index));
    samples[index] = sum * 0.022 * shape;
  }
  return samples;
}

function add(
  target: Float32Array,
  sound: Float32Array,
  from: number,
  volume: number,
  untilSeconds: number,
): void {
  const end = Math.min(target.length, Math.round(untilSeconds * rate), from + sound.length);
  const fade = rate * 0.15;
  for (let index = from; index < end; index++)
    target[index] =
      (target[index] ?? 0) + (sound[index - from] ?? 0) * volume * Math.min(1, (end - index) / fade);
}

function resample(samples: Float32Array, from: number): Float32Array {
  const result = new Float32Array(Math.floor((samples.length * rate) / from));
  for (let index = 0; index < result.length; index++) {
    const place = (index * from) / rate;
    const left = Math.floor(place);
    const one = samples[left] ?? 0;
    result[index] = one + ((samples[left + 1] ?? one) - one) * (place - left);
  }
  return result;
}
