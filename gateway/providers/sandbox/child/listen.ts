import { readFile } from "node:fs/promises";
import path from "node:path";
import { badInput, paramOf } from "../failure.ts";
import { decodeArguments, userInput } from "../ffmpeg/arguments.ts";
import { runFfmpeg } from "../ffmpeg/run.ts";
import type { JobMedia, JobResult, MeasureTask } from "../jobs/spec.ts";
import { markText } from "../mark.ts";
import { type Measures, measure } from "../speech/measure.ts";
import { readWave, type Wave } from "../speech/wave.ts";
import { type Probed, probe } from "../video/media.ts";
import type { Desk } from "./desk.ts";
import { textTag } from "./speak.ts";

const decodedRate = 16_000;

/** Measures a voice sample: how long, how loud, how high. */
export async function measureVoice(task: MeasureTask, desk: Desk): Promise<JobResult> {
  const { measures, media } = await listen(desk, task.maxSeconds);
  if (measures.segments.length === 0)
    throw badInput("The audio holds no sound that could be a voice.", paramOf(media.path));
  return { outputs: [], data: { ...measures } };
}

/** Describes a recording; no speech is recognised. Text from the tag of our own speech is given as exactly that. */
export async function transcribe(desk: Desk): Promise<JobResult> {
  const { measures, probed, comment } = await listen(desk, Number.POSITIVE_INFINITY);
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
  return { outputs: [], data: { text: parts.filter(Boolean).join(" "), seconds: measures.seconds } };
}

async function listen(
  desk: Desk,
  maxSeconds: number,
): Promise<{ measures: Measures; probed: Probed; comment: string | null; media: JobMedia }> {
  const [media] = desk.media;
  if (!media) throw new Error("There is no audio to listen to");
  const probed = await probe(desk.folder, media);
  await desk.progress(20);
  const wave = await decode(desk, probed, maxSeconds);
  const most = Math.min(wave.samples.length, Math.round(Math.min(maxSeconds, 1e7) * wave.rate));
  const measures = measure({ ...wave, samples: wave.samples.subarray(0, most) });
  return { measures, probed, comment: wave.comment, media };
}

/** WAV in plain TypeScript, so that it never needs ffmpeg; the rest by the ladder. */
async function decode(desk: Desk, probed: Probed, maxSeconds: number): Promise<Wave> {
  const { name, path: pointer } = probed.media;
  if (probed.demuxer === "wav") {
    try {
      return readWave(await readFile(path.join(desk.folder, name)));
    } catch {
      // A codec inside the WAV that we do not read ourselves.
    }
  }
  const output = "decoded.f32";
  const limit = Number.isFinite(maxSeconds) ? maxSeconds : undefined;
  const input = userInput(name, probed.demuxer ?? "wav", limit);
  await runFfmpeg(desk.ffmpeg, {
    folder: desk.folder,
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
  const bytes = await readFile(path.join(desk.folder, output));
  const samples = new Float32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 4));
  return { rate: decodedRate, samples, channels: probed.sound?.channels ?? 1, bits: 32, comment: null };
}
