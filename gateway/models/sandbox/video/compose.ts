import type { JobContext } from "../child/job-context.ts";
import { badInput, paramOf } from "../failure.ts";
import type { Caption, MediaRole, VideoTask } from "../jobs/spec.ts";
import { panSheet, sceneSheets } from "./backdrop.ts";
import { besideSheets } from "./beside.ts";
import { cardSheets } from "./cards.ts";
import type { Probed } from "./media.ts";
import type { Sheet, Sound } from "./movie.ts";
import { overlaySheets } from "./overlays.ts";
import type { Frame } from "./size.ts";
import { soundsOf } from "./sounds.ts";
import { wipeSheets } from "./wipe.ts";

/** The sheets and sounds of a movie, and the field to name if an input is broken. */
export interface Composition {
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

export function withRole(media: Probed[], role: MediaRole): Probed | undefined {
  return media.find((item) => item.media.role === role);
}

function needed(media: Probed[], role: MediaRole): Probed {
  const found = withRole(media, role);
  if (!found) {
    const field = role === "base" ? "video" : "image";
    throw badInput(`${field} is needed.`, field);
  }
  return found;
}

/** The first input that ffmpeg itself has to decode. */
function blame(media: Probed[]): string | null {
  const clip = media.find((item) => item.demuxer !== null);
  return clip ? paramOf(clip.media.path) : null;
}
