import type { Wave } from "./wave.ts";

/** Measurements of a recording that need no speech recognition. */
export interface Measures {
  seconds: number;
  channels: number;
  rate: number;
  /** Decibels below full scale. */
  rmsDecibels: number;
  peakDecibels: number;
  /** Median pitch of the voiced parts in hertz; null when nothing sounds like a voice. */
  pitchHertz: number | null;
  /** Parts above the recording's noise floor, as [start, end] in seconds. */
  segments: [number, number][];
  /** Share of the time that is inside segments. */
  activity: number;
}

const frameSeconds = 0.02;
const quietDecibels = -60;
const bridgeSeconds = 0.28;
const shortestSeconds = 0.08;

export function measure(wave: Wave): Measures {
  const levels = levelsOf(wave);
  const segments = segmentsOf(levels);
  const seconds = wave.samples.length / wave.rate;
  let square = 0;
  let peak = 0;
  for (const sample of wave.samples) {
    square += sample * sample;
    peak = Math.max(peak, Math.abs(sample));
  }
  const spoken = segments.reduce((sum, [start, end]) => sum + end - start, 0);
  return {
    seconds,
    channels: wave.channels,
    rate: wave.rate,
    rmsDecibels: decibels(Math.sqrt(square / Math.max(1, wave.samples.length))),
    peakDecibels: decibels(peak),
    pitchHertz: pitchOf(wave, segments),
    segments,
    activity: seconds > 0 ? Math.min(1, spoken / seconds) : 0,
  };
}

function decibels(level: number): number {
  return level > 0 ? Math.round(200 * Math.log10(level)) / 10 : -120;
}

function levelsOf(wave: Wave): number[] {
  const size = Math.max(1, Math.round(frameSeconds * wave.rate));
  const levels: number[] = [];
  for (let start = 0; start < wave.samples.length; start += size) {
    let square = 0;
    const end = Math.min(wave.samples.length, start + size);
    for (let index = start; index < end; index++) square += (wave.samples[index] ?? 0) ** 2;
    levels.push(Math.sqrt(square / (end - start)));
  }
  return levels;
}

/** Parts above the noise floor and above a tenth of the loudest; gaps within a sentence are bridged. */
function segmentsOf(levels: number[]): [number, number][] {
  const sorted = [...levels].sort((one, other) => one - other);
  const floor = sorted[Math.floor(sorted.length * 0.1)] ?? 0;
  const loudest = sorted[Math.floor(sorted.length * 0.98)] ?? 0;
  const threshold = Math.max(10 ** (quietDecibels / 20), Math.min(floor * 3, loudest * 0.5), loudest * 0.1);
  const segments: [number, number][] = [];
  levels.forEach((level, index) => {
    if (level < threshold) return;
    const start = index * frameSeconds;
    const last = segments.at(-1);
    if (last && start - last[1] <= bridgeSeconds) last[1] = start + frameSeconds;
    else segments.push([start, start + frameSeconds]);
  });
  return segments.filter(([start, end]) => end - start >= shortestSeconds);
}

const pitchFrameSeconds = 0.05;
const maxPitchFrames = 400;

/** The pitch: the median, over voiced frames, of the frequency at which the sound repeats itself best. */
function pitchOf(wave: Wave, segments: [number, number][]): number | null {
  const skip = Math.max(1, Math.floor(wave.rate / 11025));
  const rate = wave.rate / skip;
  const size = Math.round(pitchFrameSeconds * rate);
  const starts = segments.flatMap(([start, end]) => {
    const count = Math.max(0, Math.floor((end - start - pitchFrameSeconds) / 0.03));
    return Array.from({ length: count }, (_, index) => start + index * 0.03);
  });
  const every = Math.max(1, Math.ceil(starts.length / maxPitchFrames));
  const pitches: number[] = [];
  for (let index = 0; index < starts.length; index += every) {
    const from = Math.round((starts[index] ?? 0) * wave.rate);
    const frame = Float32Array.from({ length: size }, (_, place) => wave.samples[from + place * skip] ?? 0);
    const pitch = framePitch(frame, rate);
    if (pitch) pitches.push(pitch);
  }
  pitches.sort((one, other) => one - other);
  const middle = pitches[Math.floor(pitches.length / 2)];
  return middle ? Math.round(middle * 10) / 10 : null;
}

const lowestHertz = 65;
const highestHertz = 420;
const voicedCorrelation = 0.55;

function framePitch(frame: Float32Array, rate: number): number | null {
  const shortest = Math.floor(rate / highestHertz);
  const longest = Math.min(frame.length - 2, Math.ceil(rate / lowestHertz));
  const scores: number[] = [];
  let best = 0;
  for (let lag = shortest; lag <= longest; lag++) {
    let product = 0;
    let one = 0;
    let other = 0;
    for (let index = 0; index + lag < frame.length; index++) {
      const a = frame[index] ?? 0;
      const b = frame[index + lag] ?? 0;
      product += a * b;
      one += a * a;
      other += b * b;
    }
    const score = one > 0 && other > 0 ? product / Math.sqrt(one * other) : 0;
    scores.push(score);
    best = Math.max(best, score);
  }
  if (best < voicedCorrelation) return null;
  // Takes the first peak that is nearly as good as the best one: later peaks are octaves below the pitch.
  const place = scores.findIndex(
    (score, index) =>
      score > best * 0.93 && score >= (scores[index - 1] ?? -1) && score >= (scores[index + 1] ?? -1),
  );
  return place < 0 ? null : rate / (place + shortest);
}
