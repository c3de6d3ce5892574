import type { SpeechVoice } from "./voice.ts";

const toneSeconds = 0.085;
const mostTones = 400;
/** A scale of five notes, so that any text sounds like a small tune. */
const steps = [0, 2, 4, 7, 9, 12, 14];

/** For a text that no engine here can read: a spoken sentence, then one short tone per character. */
export function toneSpeak(
  text: string,
  voice: SpeechVoice,
  sentence: Float32Array,
  rate: number,
): Float32Array {
  const characters = [...text].slice(0, mostTones);
  const tone = Math.round(toneSeconds * voice.stretch * rate);
  const gap = Math.round(0.25 * rate);
  const samples = new Float32Array(sentence.length + gap + characters.length * tone);
  samples.set(sentence);
  characters.forEach((character, index) => {
    if (/\s/.test(character)) return;
    const step = steps[(character.codePointAt(0) ?? 0) % steps.length] ?? 0;
    const hertz = voice.pitchHertz * 2 * 2 ** (step / 12);
    const start = sentence.length + gap + index * tone;
    for (let offset = 0; offset < tone; offset++) {
      const shape = Math.sin((Math.PI * offset) / tone) ** 0.8;
      const turn = (2 * Math.PI * hertz * offset) / rate;
      samples[start + offset] = 0.22 * shape * (Math.sin(turn) + 0.3 * Math.sin(2 * turn));
    }
  });
  return samples;
}
