import { spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { bareEnvironment } from "#gateway/platform/core/limited-process.ts";
import type { FfmpegBackend } from "./detect.ts";

/** The largest file for the WebAssembly build, whose files are in memory. */
export const coreInputBytes = 100 * 1024 ** 2;

/** A backend that can run. */
type FfmpegRunner = Exclude<FfmpegBackend, { kind: "none" }>;

/** One run of ffmpeg in a folder. File names are relative to it; no argument contains a user's text. */
export interface FfmpegRun {
  folder: string;
  args: string[];
  reads: string[];
  writes: string[];
  /** Called with the seconds of output written so far. */
  progress?: (seconds: number) => void;
}

/** The result of a run, with the end of its log. */
interface FfmpegEnd {
  ok: boolean;
  log: string;
}

/** Runs ffmpeg. Call it in a separate process, because the WebAssembly build blocks. */
export function runFfmpeg(backend: FfmpegRunner, run: FfmpegRun): Promise<FfmpegEnd> {
  return backend.kind === "native" ? runNative(backend.path, run) : runCore(run);
}

const logBytes = 16_384;

/** Runs the program on this machine: arguments as a list, no shell, a minimal environment, no standard input. */
function runNative(program: string, run: FfmpegRun): Promise<FfmpegEnd> {
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

/** The part of the interface of ffmpeg's WebAssembly build that we use. */
interface FfmpegCore {
  exec(...args: string[]): void;
  /** The exit code; "Aborted()" in the log can be ignored. */
  ret: number;
  setLogger(logger: (line: { type: string; message: string }) => void): void;
  setProgress(handler: (event: { progress: number; time: number }) => void): void;
  FS: {
    writeFile(name: string, data: Uint8Array): void;
    readFile(name: string): Uint8Array;
  };
}

type CoreFactory = (options: { wasmBinary: Uint8Array }) => Promise<FfmpegCore>;

/** Runs ffmpeg inside this process. Its files are in memory; it has no access to disk or network. */
async function runCore(run: FfmpegRun): Promise<FfmpegEnd> {
  const core = await load();
  let log = "";
  core.setLogger(({ message }) => {
    log = `${log}${message}\n`.slice(-logBytes);
  });
  core.setProgress(({ time }) => run.progress?.(time / 1e6));
  for (const name of run.reads) core.FS.writeFile(name, await readFile(path.join(run.folder, name)));
  core.exec(...run.args);
  if (core.ret !== 0) return { ok: false, log };
  for (const name of run.writes) await writeFile(path.join(run.folder, name), core.FS.readFile(name));
  return { ok: true, log };
}

/** A new instance for each run, because a run may leave a broken state. */
async function load(): Promise<FfmpegCore> {
  const require = createRequire(import.meta.url);
  // The build expects a browser's worker, so it reads the globals `self` and `location`.
  Object.assign(globalThis, { self: globalThis, location: new URL("http://localhost/") });
  const { default: create }: { default: CoreFactory } = await import(
    path.join(path.dirname(require.resolve("@ffmpeg/core")), "..", "esm", "ffmpeg-core.js")
  );
  return create({ wasmBinary: await readFile(require.resolve("@ffmpeg/core/wasm")) });
}
