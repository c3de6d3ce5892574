import { byName } from "#contract/by-name.ts";
import type { FfmpegBackend } from "#gateway/files/ffmpeg/detect.ts";
import type { SpeechVoice } from "../speech/voice.ts";

/** A job of the media process, written to `job.json` of its folder. Everything in it is plain data. */
export interface JobSpec {
  task: Task;
  media: JobMedia[];
  ffmpeg: FfmpegBackend;
}

/** A media input, linked into the job folder under a generated name. */
export interface JobMedia {
  /** JSON pointer of the field. */
  path: string;
  kind: "image" | "audio" | "video";
  role: MediaRole;
  /** Name inside the job folder. */
  name: string;
}

/**
 * The role of an input: `base` is edited, `first` and `last` fill the picture, `card` and `inset` are shown
 * on it, `sound` is played.
 */
export type MediaRole = "base" | "first" | "last" | "card" | "inset" | "sound";

export type Task = SpeechTask | TranscribeTask | MeasureTask | DrawTask | EditTask | SwapTask | VideoTask;

export interface SpeechTask {
  kind: "speech";
  text: string;
  voice: SpeechVoice;
  /** Maximum seconds; the rest is cut. */
  maxSeconds?: number;
}

export interface TranscribeTask {
  kind: "transcribe";
}

export interface MeasureTask {
  kind: "measure";
  /** Seconds of the sample that are used. */
  maxSeconds: number;
}

/** The texts on the caption card of a picture. */
export interface Caption {
  title: string;
  text: string;
  /** Shown struck through below the text. */
  struck?: string;
  notes: string[];
}

/** One picture drawn from a prompt. */
export interface DrawTask {
  kind: "draw";
  pictures: { seed: number; caption: Caption }[];
  prompt: string;
  width: number;
  height: number;
  format: "png" | "jpeg";
  quality: "low" | "medium" | "high";
}

export interface EditTask {
  kind: "edit";
  seed: number;
  prompt: string;
  pictures: Caption[];
  /** Exact size of the output; the first picture's own size otherwise. */
  size: { width: number; height: number } | null;
}

export interface SwapTask {
  kind: "swap";
  part: "face" | "head";
  seed: number;
  caption: Caption;
}

export interface VideoTask {
  kind: "video";
  scene: VideoScene;
  prompt: string;
  /** Null for gated entries, whose prompts are not spoken. */
  speak: string | null;
  seed: number;
  caption: Caption;
  frame: VideoFrame;
  /** Seconds; null: the length of the input clip, or 5 s without one. */
  duration: number | null;
  maxSeconds: number;
  audio: boolean;
  /** Colours that tint the picture, strongest first: hue in degrees, strength 0..1. */
  tints: { hue: number; strength: number }[];
}

/** The frame of a video: an exact size, or a short side with the ratio of the first visual input. */
export type VideoFrame =
  | { kind: "exact"; width: number; height: number }
  | { kind: "adaptive"; shortSide: number };

/** How the video is made from its inputs. */
export type VideoScene = "compose" | "edit" | "animate" | "replace" | "upscale";

/** The content of `result.json`, written by the media process. */
export interface JobResult {
  outputs: JobOutput[];
  /** Results that are not files, such as measurements and text. */
  data: Record<string, unknown>;
}

export interface JobOutput {
  /** Name inside the job folder. */
  name: string;
  contentType: string;
  width?: number;
  height?: number;
  /** Seconds. */
  duration?: number;
}

/** The messages of a media process. */
export type ChildMessage =
  | { type: "progress"; percent: number }
  | { type: "failed"; code: string; message: string; param: string | null }
  | { type: "done" };

/** The context of every task in the media process. */
export interface JobContext {
  /** The job folder, with inputs, outputs and temporary files. */
  folder: string;
  media: JobMedia[];
  ffmpeg: FfmpegBackend;
  /** Reports the progress in percent. Awaiting it also lets the process receive a request to stop. */
  progress(percent: number): Promise<void>;
}

/** A video's size in pixels and its length. */
export interface Frame {
  width: number;
  height: number;
  seconds: number;
}

/** The short side of each resolution tier. */
export const tierShortSide = byName<number>({
  "480P": 480,
  "720P": 720,
  "1080P": 1080,
  "2K": 1440,
  "4K": 2160,
});

const widescreen = 16 / 9;

/** An even number of pixels. */
export function even(value: number): number {
  return Math.max(2, Math.round(value / 2) * 2);
}

/** The frame of a tier: its short side times the ratio, both sides even. 480P in 16:9 is 854x480. */
export function frameOf(shortSide: number, ratio: number): { width: number; height: number } {
  const near = (other: number) => Math.abs(ratio / other - 1) < 0.004;
  const exact = near(widescreen) ? widescreen : near(1 / widescreen) ? 1 / widescreen : ratio;
  return exact >= 1
    ? { width: even(shortSide * exact), height: even(shortSide) }
    : { width: even(shortSide), height: even(shortSide / exact) };
}
