import { writeFile } from "node:fs/promises";
import type { JobContext } from "../child/job-context.ts";
import { markText } from "../mark.ts";
import { randomFrom } from "../seed.ts";
import { chime } from "../speech/chime.ts";
import { synthesize } from "../speech/synthesis.ts";
import { presetVoice } from "../speech/voice.ts";
import { writeWave } from "../speech/wave.ts";

const rate = 48_000;
const leadSeconds = 0.6;
/** Chords that sound calm, as steps above the root. */
const chords: readonly [readonly number[], ...(readonly number[])[]] = [
  [0, 7, 12, 16],
  [0, 5, 9, 14],
  [0, 7, 10, 15],
  [0, 4, 7, 11],
];

/** Writes a soft chord as long as the video, the spoken text over it when there is one, and the chime at its end. */
export async function writeSoundtrack(
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
