import type { Desk } from "../child/desk.ts";
import { paramOf } from "../failure.ts";
import type { MediaRole, VideoTask } from "../jobs/spec.ts";
import { panSheet, sceneSheets } from "./backdrop.ts";
import { furnitureSheets } from "./furniture.ts";
import type { Probed } from "./media.ts";
import type { Sheet, Sound } from "./movie.ts";
import { writeSoundtrack } from "./soundtrack.ts";

export interface Frame {
  width: number;
  height: number;
  seconds: number;
}
/** The sheets and sounds of a movie, and the field to blame if an input turns out broken. */
export interface Composition {
  sheets: Sheet[];
  sounds: Sound[];
  param: string | null;
}

/** Composes a video of any scene. */
export async function composeMovie(
  desk: Desk,
  task: VideoTask,
  frame: Frame,
  media: Probed[],
): Promise<Composition> {
  const first = withRole(media, "first") ?? withRole(media, "base");
  const last = withRole(media, "last");
  const sheets: Sheet[] = first
    ? [await panSheet(desk, frame, first, { name: "first", backwards: false })]
    : await sceneSheets(desk, frame, task.prompt, task.seed);
  if (last) {
    const fade = { seconds: Math.max(0.5, frame.seconds * 0.3), at: frame.seconds * 0.45 };
    sheets.push(await panSheet(desk, frame, last, { name: "last", backwards: true, fadeIn: fade }));
  }
  sheets.push(...(await furnitureSheets(desk, frame, task.caption)));
  const sounds = task.audio ? await soundsOf(desk, task, frame, media) : [];
  return { sheets, sounds, param: blame(media) };
}

async function soundsOf(desk: Desk, task: VideoTask, frame: Frame, media: Probed[]): Promise<Sound[]> {
  const given = media.filter((item) => item.media.role === "sound");
  if (given.length > 0)
    return given.map((source) => ({ kind: "input", source, volume: 0.9 / given.length ** 0.5 }));
  await writeSoundtrack(desk, {
    name: "track.wav",
    seconds: frame.seconds,
    seed: task.seed,
    speak: task.speak,
  });
  return [{ kind: "made", name: "track.wav", volume: 1 }];
}

export function withRole(media: Probed[], role: MediaRole): Probed | undefined {
  return media.find((item) => item.media.role === role);
}

/** The first input that ffmpeg itself has to decode. */
export function blame(media: Probed[]): string | null {
  const clip = media.find((item) => item.demuxer !== null);
  return clip ? paramOf(clip.media.path) : null;
}
