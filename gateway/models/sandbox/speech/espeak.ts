import { execFile } from "node:child_process";
import { bareEnvironment } from "#gateway/platform/core/bare-environment.ts";
import type { SpeechVoice } from "./voice.ts";

const timeoutMs = 20_000;
const maxBytes = 64 * 1024 ** 2;
const wordsPerMinute = 165;

/** Speaks any language with the `espeak-ng` program; null if it is not installed. The text is passed on stdin. */
export function espeakSpeak(text: string, voice: SpeechVoice): Promise<Buffer | null> {
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

/** espeak-ng writes a stream, whose header lacks the length. */
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
