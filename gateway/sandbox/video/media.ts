import { open } from "node:fs/promises";
import path from "node:path";
import { fileTypeFromFile } from "file-type";
import { ALL_FORMATS, FilePathSource, Input } from "mediabunny";
import { byName } from "#contract/by-name.ts";
import { openAvif, sharp } from "#gateway/files/previews/child/decoder.ts";
import { badInput, paramOf, SandboxFailure } from "../failure.ts";
import type { JobMedia } from "../jobs/spec.ts";
import { inputPixels, videoPixels } from "../limits.ts";

openAvif();

/** The real properties of a media input, read from its bytes. */
export interface Probed {
  media: JobMedia;
  /** The fixed demuxer; null for pictures, which sharp decodes. */
  demuxer: string | null;
  width: number;
  height: number;
  /** Seconds; 0 for pictures. */
  duration: number;
  hasVideo: boolean;
  hasAudio: boolean;
  /** Of the sound: channels, rate and codec. */
  sound: { channels: number; rate: number; codec: string } | null;
}

/** The file types that are decoded, as detected from their bytes. All others are refused. */
const demuxerOf = byName<string>({
  mp4: "mov",
  m4v: "mov",
  m4a: "mov",
  mov: "mov",
  "3gp": "mov",
  webm: "matroska",
  mkv: "matroska",
  wav: "wav",
  mp3: "mp3",
  oga: "ogg",
  ogg: "ogg",
  ogv: "ogg",
  opus: "ogg",
  flac: "flac",
  aac: "aac",
});
const pictureKinds = ["png", "jpg", "webp", "gif", "avif"];

/** Detects and measures an input without trusting its name, type or caller. Throws a failure naming the field. */
export async function probe(folder: string, media: JobMedia): Promise<Probed> {
  const file = path.join(folder, media.name);
  const param = paramOf(media.path);
  const kind = (await fileTypeFromFile(file))?.ext ?? "unknown";
  if (media.kind === "image") return probePicture(file, kind, media, param);
  const demuxer = demuxerOf[kind];
  if (!demuxer)
    throw badInput(
      `${param} is not ${media.kind === "audio" ? "an audio" : "a video"} file that can be read.`,
      param,
    );
  return probeClip(file, demuxer, media, param);
}

async function probePicture(file: string, kind: string, media: JobMedia, param: string): Promise<Probed> {
  const still = { media, duration: 0, hasVideo: false, hasAudio: false, sound: null };
  if (kind === "bmp") return { ...still, ...(await bmpSize(file, param)), demuxer: "bmp_pipe" };
  if (!pictureKinds.includes(kind))
    throw badInput(`${param} is not a PNG, JPEG, WebP, GIF, AVIF or BMP picture.`, param);
  try {
    const { autoOrient } = await sharp(file, {
      limitInputPixels: inputPixels,
      failOn: "error",
      pages: 1,
    }).metadata();
    if (autoOrient.width * autoOrient.height > inputPixels) throw new Error("too many pixels");
    return { ...still, width: autoOrient.width, height: autoOrient.height, demuxer: null };
  } catch {
    throw badInput(`${param} is damaged, or has more than ${inputPixels / 1e6} million pixels.`, param);
  }
}

async function bmpSize(file: string, param: string): Promise<{ width: number; height: number }> {
  const handle = await open(file);
  try {
    const head = Buffer.alloc(26);
    await handle.read(head, 0, 26, 0);
    const [width, height] = [Math.abs(head.readInt32LE(18)), Math.abs(head.readInt32LE(22))];
    if (width < 1 || height < 1 || width * height > inputPixels)
      throw badInput(`${param} is damaged, or has more than ${inputPixels / 1e6} million pixels.`, param);
    return { width, height };
  } finally {
    await handle.close();
  }
}

async function probeClip(file: string, demuxer: string, media: JobMedia, param: string): Promise<Probed> {
  const input = new Input({ formats: ALL_FORMATS, source: new FilePathSource(file) });
  try {
    const [video, audio] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()];
    const wanted = media.kind === "audio" ? audio : video;
    if (!wanted)
      throw badInput(
        `${param} has no ${media.kind === "audio" ? "sound" : "picture"} that can be read.`,
        param,
      );
    const width = (await video?.getDisplayWidth()) ?? 0;
    const height = (await video?.getDisplayHeight()) ?? 0;
    if (width * height > videoPixels) throw badInput(`${param} has frames larger than 8K.`, param);
    const duration = (await wanted.computeDuration()) - Math.max(0, await wanted.getFirstTimestamp());
    if (!(duration > 0)) throw badInput(`${param} is empty.`, param);
    const sound = audio && {
      channels: await audio.getNumberOfChannels(),
      rate: await audio.getSampleRate(),
      codec: (await audio.getCodec()) ?? "unknown",
    };
    return {
      media,
      demuxer,
      width,
      height,
      duration,
      hasVideo: video !== null,
      hasAudio: audio !== null,
      sound,
    };
  } catch (error) {
    throw error instanceof SandboxFailure
      ? error
      : badInput(`${param} is damaged and cannot be read.`, param);
  } finally {
    input.dispose();
  }
}
