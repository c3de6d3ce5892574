import { spawn } from "node:child_process";
import { stat } from "node:fs/promises";
import path from "node:path";
import { bareEnvironment } from "../environment.ts";
import { badInput, SandboxFailure } from "../failure.ts";
import type { FfmpegBackend } from "../jobs/spec.ts";
import { childLogBytes, coreInputBytes } from "../limits.ts";
import { runCore } from "./core.ts";
import type { FfmpegRun } from "./job.ts";

/** Runs ffmpeg on the backend that this machine has; returns what it wrote to its log. */
export async function runFfmpeg(backend: FfmpegBackend, run: FfmpegRun): Promise<string> {
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
  const { ok, log } = backend.kind === "native" ? await runNative(backend.path, run) : await runCore(run);
  if (ok) return log;
  if (run.param)
    throw badInput(
      "The media file could not be decoded: it is damaged or of an unsupported type.",
      run.param,
    );
  throw new Error(`ffmpeg failed: ${log.slice(-2000)}`);
}

/** Runs the program on this machine: arguments as a list, no shell, a minimal environment, no standard input. */
function runNative(program: string, run: FfmpegRun): Promise<{ ok: boolean; log: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, ["-nostdin", "-progress", "pipe:1", ...run.args], {
      cwd: run.folder,
      env: bareEnvironment(),
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
    });
    const stop = () => child.kill("SIGKILL");
    process.once("exit", stop);
    let log = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      log = (log + text).slice(-childLogBytes);
    });
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      const time = /out_time_us=(\d+)/.exec(text)?.[1];
      if (time) run.progress?.(Number(time) / 1e6);
    });
    child.once("error", reject);
    child.once("close", (code) => {
      process.off("exit", stop);
      resolve({ ok: code === 0, log });
    });
  });
}
