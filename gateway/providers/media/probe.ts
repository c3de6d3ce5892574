import { ALL_FORMATS, FilePathSource, Input } from "mediabunny";
import sharp from "sharp";
import type { MediaFamily } from "#gateway/storage/sniff.ts";

/** More is not decoded to be measured. */
const maxPixels = 200_000_000;

export interface Measured {
  width?: number;
  height?: number;
  /** Seconds. */
  duration?: number;
}

/** Size and length of a media file by its own bytes; nothing where they cannot be read. */
export async function measureFile(file: string, family: MediaFamily): Promise<Measured> {
  try {
    return family === "image" ? await measureImage(file) : await measureClip(file);
  } catch {
    return {};
  }
}

async function measureImage(file: string): Promise<Measured> {
  const { autoOrient } = await sharp(file, { limitInputPixels: maxPixels, pages: 1 }).metadata();
  return { width: autoOrient.width, height: autoOrient.height };
}

async function measureClip(file: string): Promise<Measured> {
  const input = new Input({ formats: ALL_FORMATS, source: new FilePathSource(file) });
  try {
    const video = await input.getPrimaryVideoTrack();
    const track = video ?? (await input.getPrimaryAudioTrack());
    if (!track) return {};
    const seconds = (await track.computeDuration()) - Math.max(0, await track.getFirstTimestamp());
    return {
      ...(video && { width: await video.getDisplayWidth(), height: await video.getDisplayHeight() }),
      ...(seconds > 0 && { duration: Math.round(seconds * 1000) / 1000 }),
    };
  } finally {
    input.dispose();
  }
}
