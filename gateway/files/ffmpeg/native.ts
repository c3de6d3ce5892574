import { spawn } from "node:child_process";
import { bareEnvironment } from "#gateway/platform/core/bare-environment.ts";
import { type FfmpegEnd, type FfmpegRun, logBytes } from "./job.ts";

/** Runs the program on this machine: arguments as a list, no shell, a minimal environment, no standard input. */
export function runNative(program: string, run: FfmpegRun): Promise<FfmpegEnd> {
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
      log = (log + text).slice(-logBytes);
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
