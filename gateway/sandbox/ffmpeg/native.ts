import { spawn } from "node:child_process";
import { bareEnvironment } from "../environment.ts";
import { childLogBytes } from "../limits.ts";
import type { FfmpegRun } from "./job.ts";

/** Runs the program on this machine: arguments as a list, no shell, a minimal environment, no standard input. */
export function runNative(program: string, run: FfmpegRun): Promise<{ ok: boolean; log: string }> {
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
