import { createHash } from "node:crypto";

/** How a text is spoken. */
export interface SpeechVoice {
  engine: FliteVoice;
  /** Median pitch in hertz. */
  pitchHertz: number;
  /** Above 1 is slower. */
  stretch: number;
}

/** The voices inside flite; `rms` is left out since it ignores the pitch. */
export const fliteVoices = ["slt", "kal16", "awb"] as const;

export type FliteVoice = (typeof fliteVoices)[number];

/** The pitches at which each engine sounds natural. */
const pitchRange: Record<FliteVoice, readonly [number, number]> = {
  slt: [150, 290],
  kal16: [80, 160],
  awb: [95, 190],
};

/** The voice of a preset name: always the same for the same name. */
export function presetVoice(name: string): SpeechVoice {
  const digest = createHash("sha256").update(`voice ${name.trim().toLowerCase()}`).digest();
  const part = (index: number) => (digest[index] ?? 0) / 255;
  const engine = fliteVoices[(digest[0] ?? 0) % fliteVoices.length] ?? "slt";
  const [low, high] = pitchRange[engine];
  return {
    engine,
    pitchHertz: Math.round(low + (high - low) * (0.15 + part(1) * 0.7)),
    stretch: Math.round((0.88 + part(2) * 0.3) * 100) / 100,
  };
}

/** The voice nearest to a measured or described pitch. */
export function voiceAtPitch(pitchHertz: number, stretch: number): SpeechVoice {
  const engine: FliteVoice = pitchHertz >= 165 ? "slt" : pitchHertz >= 125 ? "awb" : "kal16";
  const [low, high] = pitchRange[engine];
  return {
    engine,
    pitchHertz: Math.round(Math.min(high, Math.max(low, pitchHertz))),
    stretch: Math.min(1.5, Math.max(0.7, stretch)),
  };
}

const pitchWords: [RegExp, number][] = [
  [/\b(very deep|bass)\b/i, 84],
  [/\b(deep|low|baritone|gravelly)\b|低|深沉/i, 96],
  [/\b(high|bright|childlike|child|girl)\b|高|童/i, 260],
  [/\b(woman|female|lady|mother)\b|女/i, 205],
  [/\b(man|male|father|gentleman)\b|男/i, 112],
];

const paceWords: [RegExp, number][] = [
  [/\b(very slow)\b/i, 1.4],
  [/\b(slow|slowly|calm|gentle|sleepy)\b|慢/i, 1.22],
  [/\b(fast|quick|energetic|lively|excited|hurried)\b|快/i, 0.8],
];

/**
 * A voice from a description: words for high and low set its pitch, words for pace its speed, and its hash
 * the rest.
 */
export function describedVoice(prompt: string): SpeechVoice {
  const fallback = presetVoice(prompt);
  const pitch = pitchWords.find(([words]) => words.test(prompt))?.[1];
  const stretch = paceWords.find(([words]) => words.test(prompt))?.[1];
  return voiceAtPitch(pitch ?? fallback.pitchHertz, stretch ?? 1);
}
