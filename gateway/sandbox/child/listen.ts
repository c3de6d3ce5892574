import { readFile } from "node:fs/promises";
import path from "node:path";
import { badInput, paramOf } from "../failure.ts";
import { decodeArguments, runFfmpeg, userInput } from "../ffmpeg.ts";
import type { JobContext, JobMedia, JobResult, MeasureTask } from "../jobs/spec.ts";
import { markText } from "../mark.ts";
import { type Measures, measure } from "../speech/measure.ts";
import { readWave, type Wave } from "../speech/wave.ts";
import { type Probed, probe } from "../video/media.ts";
import { textTag } from "./speak.ts";

const decodedRate = 16_000;

/** Measures a voice sample: its length, loudness and pitch. */
export async function measureVoice(task: MeasureTask, job: JobContext): Promise<JobResult> {
  const { measures, media } = await listen(job, task.maxSeconds);
  if (measures.segments.length === 0)
    throw badInput("The audio has no sound that could be a voice.", paramOf(media.path));
  return { outputs: [], data: { ...measures } };
}

/**
 * Describes a recording without recognising speech. Text from the sandbox's own tag in a file is marked as
 * such.
 */
export async function transcribe(job: JobContext): Promise<JobResult> {
  const { measures, probed, comment } = await listen(job, Number.POSITIVE_INFINITY);
  const tagged = comment?.startsWith(markText) ? comment.split(textTag).slice(1).join(textTag) : "";
  const sound = probed.sound;
  const channels =
    sound?.channels === 1 ? "mono" : sound?.channels === 2 ? "stereo" : `${sound?.channels} channels`;
  const segments = measures.segments
    .slice(0, 12)
    .map(([start, end]) => `${start.toFixed(1)}-${end.toFixed(1)} s`);
  const more = measures.segments.length - segments.length;
  const parts = [
    "Sandbox transcription, no speech model ran.",
    `Audio: ${measures.seconds.toFixed(1)} s, ${channels} ${(sound?.rate ?? 0) / 1000} kHz, ${sound?.codec}, RMS ${measures.rmsDecibels} dB, peak ${measures.peakDecibels} dB, ${
      segments.length > 0
        ? `speech-like segments ${segments.join(", ")}${more > 0 ? ` and ${more} more` : ""}`
        : "no speech-like segments"
    }.`,
    tagged &&
      `This file was made by the sandbox; its text was read from the file tag, not recognised: "${tagged}"`,
  ];
  const text = parts.filter(Boolean).join(" ");
  return {
    outputs: [],
    data: { text, seconds: measures.seconds, segments: spokenParts(measures.segments, tagged) },
  };
}

/** The speech-like parts with their times. The text of the sandbox's own tag is divided among them by length. */
function spokenParts(segments: Measures["segments"], tagged: string) {
  const words = tagged.split(/\s+/).filter(Boolean);
  const spoken = segments.reduce((sum, [start, end]) => sum + end - start, 0);
  let heard = 0;
  let taken = 0;
  return segments.map(([start, end], index) => {
    heard += end - start;
    const upTo = Math.round((heard / spoken) * words.length);
    const share = words.slice(taken, upTo).join(" ");
    taken = upTo;
    return { start, end, text: `${markText} · ${share || `sound ${index + 1} of ${segments.length}`}` };
  });
}

async function listen(
  job: JobContext,
  maxSeconds: number,
): Promise<{ measures: Measures; probed: Probed; comment: string | null; media: JobMedia }> {
  const [media] = job.media;
  if (!media) throw new Error("There is no audio in the file");
  const probed = await probe(job.folder, media);
  await job.progress(20);
  const wave = await decode(job, probed, maxSeconds);
  const most = Math.min(wave.samples.length, Math.round(Math.min(maxSeconds, 1e7) * wave.rate));
  const measures = measure({ ...wave, samples: wave.samples.subarray(0, most) });
  return { measures, probed, comment: wave.comment, media };
}

/** WAV is read in TypeScript, so that it never needs ffmpeg; other formats are decoded by ffmpeg. */
async function decode(job: JobContext, probed: Probed, maxSeconds: number): Promise<Wave> {
  const { name, path: pointer } = probed.media;
  if (probed.demuxer === "wav") {
    try {
      return readWave(await readFile(path.join(job.folder, name)));
    } catch {
      // A WAV with a codec that only ffmpeg can read.
    }
  }
  const output = "decoded.f32";
  const limit = Number.isFinite(maxSeconds) ? maxSeconds : undefined;
  const input = userInput(name, probed.demuxer ?? "wav", limit);
  await runFfmpeg(job.ffmpeg, {
    folder: job.folder,
    args: decodeArguments(input, [
      "-map",
      "0:a:0",
      "-vn",
      "-ac",
      "1",
      "-ar",
      String(decodedRate),
      "-f",
      "f32le",
      output,
    ]),
    reads: [name],
    writes: [output],
    param: paramOf(pointer),
  });
  const bytes = await readFile(path.join(job.folder, output));
  const samples = new Float32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 4));
  return { rate: decodedRate, samples, channels: probed.sound?.channels ?? 1, bits: 32, comment: null };
}
