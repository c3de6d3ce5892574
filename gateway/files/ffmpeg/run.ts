import { runCore } from "./core.ts";
import type { FfmpegBackend } from "./detect.ts";
import type { FfmpegEnd, FfmpegRun } from "./job.ts";
import { runNative } from "./native.ts";

/** The largest file for the WebAssembly build: its files live in memory. */
export const coreInputBytes = 100 * 1024 ** 2;

/** A backend that runs something. */
export type FfmpegRunner = Exclude<FfmpegBackend, { kind: "none" }>;

/** Runs ffmpeg. Call it in a process of its own: the WebAssembly build blocks it. */
export function runFfmpeg(backend: FfmpegRunner, run: FfmpegRun): Promise<FfmpegEnd> {
  return backend.kind === "native" ? runNative(backend.path, run) : runCore(run);
}
