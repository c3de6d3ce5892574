import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import {
  type AudioSample,
  AudioSampleSink,
  FilePathSource,
  Input,
  type InputAudioTrack,
  WAVE,
} from "mediabunny";
import { byName } from "#contract/by-name.ts";
import { previewSidePx } from "#contract/output-constants.ts";
import { coreInputBytes } from "#gateway/files/ffmpeg/run.ts";
import {
  fileName,
  type PreviewJob,
  previewName,
  soundRate,
  soundSeconds,
  waveformBars,
  waveformHeightPx,
} from "../job.ts";
import { decode, drawRaster } from "./picture.ts";

const pcmName = "sound.pcm";

const loudest = 32_768;

/** ffmpeg's demuxers by content type. */
const demuxers = byName<string>({
  "audio/wav": "wav",
  "audio/mpeg": "mp3",
  "audio/mp4": "mov",
  "audio/ogg": "ogg",
  "audio/flac": "flac",
  "audio/webm": "matroska",
  "video/mp4": "mov",
  "video/quicktime": "mov",
  "video/webm": "matroska",
});

/** Draws the waveform of a sound. Throws if it is unreadable. */
export async function drawSound(job: PreviewJob): Promise<void> {
  const peaks = (job.contentType === "audio/wav" && (await plainPeaks(job))) || (await decodedPeaks(job));
  const size = { width: previewSidePx, height: waveformHeightPx };
  await drawRaster(waveform(peaks, size), path.join(job.folder, previewName), size);
}

/** Splits a sound into as many parts as a waveform has bars, and finds the loudest sample of each. */
class Peaks {
  readonly values = new Float32Array(waveformBars);
  private readonly total: number;
  private heard = 0;

  /** `total`: the number of samples of the whole sound. */
  constructor(total: number) {
    this.total = Math.max(1, total);
  }

  /** Adds the next samples; `loudest`: the value of full loudness, if samples are whole numbers. */
  add(samples: Float32Array | Int16Array, loudest = 1): void {
    const { values, total } = this;
    for (const sample of samples) {
      const bar = Math.min(waveformBars - 1, Math.floor((this.heard / total) * waveformBars));
      const value = Math.abs(sample) / loudest;
      if (value > (values[bar] ?? 0)) values[bar] = value;
      this.heard += 1;
    }
  }
}

/** The peaks of a WAV file with uncompressed samples, which needs no ffmpeg; null if they are compressed. */
async function plainPeaks({ folder }: PreviewJob): Promise<Peaks | null> {
  const input = new Input({ formats: [WAVE], source: new FilePathSource(path.join(folder, fileName)) });
  try {
    const track = await input.getPrimaryAudioTrack();
    const codec = await track?.getCodec();
    if (!track || !codec || !/^pcm-|^[au]law$/.test(codec)) return null;
    return await trackPeaks(track);
  } finally {
    input.dispose();
  }
}

async function trackPeaks(track: InputAudioTrack): Promise<Peaks> {
  const seconds = Math.min(soundSeconds, await track.computeDuration());
  const peaks = new Peaks(seconds * (await track.getSampleRate()));
  for await (const sample of new AudioSampleSink(track).samples(0, seconds)) {
    peaks.add(loudestChannel(sample));
    sample.close();
  }
  return peaks;
}

function loudestChannel(sample: AudioSample): Float32Array {
  const loudest = new Float32Array(sample.numberOfFrames);
  const channel = new Float32Array(sample.numberOfFrames);
  for (let planeIndex = 0; planeIndex < sample.numberOfChannels; planeIndex++) {
    sample.copyTo(channel, { planeIndex, format: "f32-planar" });
    for (const [at, value] of channel.entries()) loudest[at] = Math.max(loudest[at] ?? 0, Math.abs(value));
  }
  return loudest;
}

async function decodedPeaks({ folder, contentType, ffmpeg }: PreviewJob): Promise<Peaks> {
  const demuxer = demuxers[contentType];
  if (!demuxer) throw new Error(`${contentType} is not decoded`);
  const { size } = await stat(path.join(folder, fileName));
  if (ffmpeg.kind === "core" && size > coreInputBytes) throw new Error("The sound is too large");
  const mono = ["-ac", "1", "-ar", String(soundRate), "-f", "s16le"];
  const rest = ["-map", "0:a:0", "-vn", "-t", String(soundSeconds), ...mono];
  await decode({ folder, ffmpeg, demuxer, input: fileName, rest, output: pcmName });
  const pcm = await readFile(path.join(folder, pcmName));
  const samples = new Int16Array(pcm.buffer, pcm.byteOffset, Math.floor(pcm.length / 2));
  if (samples.length === 0) throw new Error("The file has no sound");
  const peaks = new Peaks(samples.length);
  peaks.add(samples, loudest);
  return peaks;
}

/** Visible on light and dark backgrounds. */
const grey = Buffer.from([0x88, 0x8c, 0x94, 0xff]);

const gapPx = 3;

const quietestPx = 4;

/** A sound whose loudest sample is below this is not scaled up to look loud. */
const quietest = 0.05;

function waveform({ values }: Peaks, { width, height }: { width: number; height: number }): Buffer {
  const pixels = Buffer.alloc(width * height * grey.length);
  const most = Math.max(quietest, ...values);
  const pitch = width / waveformBars;
  for (const [bar, value] of values.entries()) {
    const tall = Math.max(quietestPx, Math.round((value / most) * height));
    const top = Math.floor((height - tall) / 2);
    for (let y = top; y < top + tall; y++)
      for (let x = Math.round(bar * pitch); x < Math.round((bar + 1) * pitch) - gapPx; x++)
        grey.copy(pixels, (y * width + x) * grey.length);
  }
  return pixels;
}
