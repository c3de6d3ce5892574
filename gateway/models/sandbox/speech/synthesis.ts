import { espeakSpeak } from "./espeak.ts";
import { fliteSpeak } from "./flite.ts";
import { toneSpeak } from "./tones.ts";
import type { SpeechVoice } from "./voice.ts";
import { readWave, type Wave } from "./wave.ts";

/** The speech and how it was made, for the mark. */
export interface Spoken {
  wave: Wave;
  means: "flite" | "espeak-ng" | "tones";
}

/** Speaks a text: English with flite, the rest with espeak-ng if it is installed, else as one tone per character. */
export async function synthesize(text: string, voice: SpeechVoice): Promise<Spoken> {
  if (isEnglishLike(text)) return { wave: await fliteSpeak(plain(text), voice), means: "flite" };
  const foreign = await espeakSpeak(text, voice);
  if (foreign) return { wave: readWave(foreign), means: "espeak-ng" };
  const count = [...text].length;
  const said = await fliteSpeak(`Sandbox voice, ${count} characters of text.`, voice);
  return { wave: { ...said, samples: toneSpeak(text, voice, said.samples, said.rate) }, means: "tones" };
}

/** Whether flite can read most letters of a text. */
export function isEnglishLike(text: string): boolean {
  const letters = [...text.normalize("NFKD")].filter((character) => /[\p{L}\p{N}]/u.test(character));
  if (letters.length === 0) return true;
  return letters.filter((character) => /[a-z0-9]/i.test(character)).length / letters.length > 0.6;
}

/** Only ASCII, without accents. */
function plain(text: string): string {
  const ascii = text
    .normalize("NFKD")
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u2013\u2014]/g, ", ")
    .replace(/[^\x20-\x7e\n]/g, "")
    .trim();
  return /[a-z0-9]/i.test(ascii) ? ascii : "Nothing to read.";
}
