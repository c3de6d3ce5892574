import { writeFile } from "node:fs/promises";
import path from "node:path";
import {
  BufferTarget,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  FilePathSource,
  Input,
  type InputVideoTrack,
  MATROSKA,
  MkvOutputFormat,
  MP4,
  Output,
  QTFF,
  WEBM,
} from "mediabunny";
import { previewSidePx } from "#contract/output-constants.ts";
import { fileName, inputPixels, type PreviewJob, previewName } from "../job.ts";
import { decode, drawFrame, drawPicture } from "./picture.ts";

/** The time of the poster frame, if the video is long enough: the first frame is often black. */
const posterSeconds = 1;
const stillName = "still.mkv";
const frameName = "frame.png";
const shrink = `scale=w='min(iw,${previewSidePx})':h='min(ih,${previewSidePx})':force_original_aspect_ratio=decrease`;
const toFrame = ["-map", "0:v:0", "-frames:v", "1", "-vf", shrink, "-c:v", "png", "-f", "image2"];

/**
 * Draws a frame near the start of a video; returns false if it has no pictures. Throws if it is unreadable.
 */
export async function drawPoster({ folder, ffmpeg }: PreviewJob): Promise<boolean> {
  const source = new FilePathSource(path.join(folder, fileName));
  // No playlists, because they refer to other files.
  const input = new Input({ formats: [MP4, QTFF, MATROSKA, WEBM], source });
  try {
    const track = await input.getPrimaryVideoTrack();
    if (!track) return false;
    const size = { width: await track.getDisplayWidth(), height: await track.getDisplayHeight() };
    if (size.width * size.height > inputPixels) throw new Error("The frames are too large");
    await writeFile(path.join(folder, stillName), await stillOf(track));
    await decode({ folder, ffmpeg, demuxer: "matroska", input: stillName, rest: toFrame, output: frameName });
    const pose = { ...size, rotation: await track.getRotation() };
    await drawFrame(path.join(folder, frameName), path.join(folder, previewName), pose);
    return true;
  } finally {
    input.dispose();
  }
}

/** A video with a single frame, so that ffmpeg gets a few kilobytes however large the file is. */
async function stillOf(track: InputVideoTrack): Promise<Buffer> {
  const codec = await track.getCodec();
  const decoderConfig = await track.getDecoderConfig();
  const packets = new EncodedPacketSink(track);
  const packet =
    (await packets.getKeyPacket((await track.getFirstTimestamp()) + posterSeconds)) ??
    (await packets.getFirstPacket());
  if (!codec || !decoderConfig || !packet) throw new Error("The video has no frame that can be decoded");
  const target = new BufferTarget();
  const output = new Output({ format: new MkvOutputFormat(), target });
  const still = new EncodedVideoPacketSource(codec);
  output.addVideoTrack(still);
  await output.start();
  await still.add(packet.clone({ timestamp: 0 }), { decoderConfig });
  await output.finalize();
  if (!target.buffer) throw new Error("The frame could not be copied");
  return Buffer.from(target.buffer);
}

/** Draws a BMP, which only ffmpeg can read. */
export async function drawBitmap({ folder, ffmpeg }: PreviewJob): Promise<void> {
  await decode({ folder, ffmpeg, demuxer: "bmp_pipe", input: fileName, rest: toFrame, output: frameName });
  await drawPicture(path.join(folder, frameName), path.join(folder, previewName));
}
