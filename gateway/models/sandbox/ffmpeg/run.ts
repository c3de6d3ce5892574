import { stat } from "node:fs/promises";
import path from "node:path";
import type { FfmpegBackend } from "#gateway/files/ffmpeg/detect.ts";
import { coreInputBytes, type FfmpegRun, runFfmpeg as runBackend } from "#gateway/files/ffmpeg/run.ts";

import { badInput, SandboxFailure } from "../failure.ts";

/** A run of ffmpeg. `param` is the field that an error names if the input cannot be read. */
interface SandboxRun extends FfmpegRun {
  param: string | null;
}

/** Runs ffmpeg on this machine's backend; returns its log. */
export async function runFfmpeg(backend: FfmpegBackend, run: SandboxRun): Promise<string> {
  if (backend.kind === "none")
    throw new SandboxFailure(
      "service_unavailable",
      "This needs ffmpeg: install it (on Debian: apt-get install ffmpeg), or run npm i @ffmpeg/core.",
    );
  if (backend.kind === "core")
    for (const name of run.reads) {
      const { size } = await stat(path.join(run.folder, name));
      if (size > coreInputBytes && name.startsWith("in-"))
        throw new SandboxFailure(
          "input_too_large",
          "Without an installed ffmpeg the sandbox accepts media files of up to 100 MB. Install ffmpeg for larger ones.",
          run.param,
        );
    }
  const { ok, log } = await runBackend(backend, run);
  if (ok) return log;
  if (run.param)
    throw badInput(
      "The media file could not be decoded: it is damaged or of an unsupported type.",
      run.param,
    );
  throw new Error(`ffmpeg failed: ${log.slice(-2000)}`);
}
