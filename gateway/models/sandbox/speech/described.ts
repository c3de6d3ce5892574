import { presetVoice, type SpeechVoice, voiceAtPitch } from "./voice.ts";

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
