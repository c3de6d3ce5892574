import { spawn } from "node:child_process";
import { copyFile, link, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Logger } from "pino";
import { type ErrorCode, errorCatalogue } from "#contract/error.ts";
import type { FfmpegBackend } from "#gateway/files/ffmpeg/detect.ts";
import { orStoreFull } from "#gateway/files/storage/store-room.ts";
import type { ResolvedMedia } from "#gateway/models/providers/provider.ts";
import { isDiskFull } from "#gateway/platform/core/data-folder.ts";
import { bareEnvironment, killTree, limitedCommand } from "#gateway/platform/core/limited-process.ts";
import { SandboxFailure } from "../failure.ts";
import {
  childDataBytes,
  childFileBytes,
  childHeapMegabytes,
  childLogBytes,
  childOpenFiles,
} from "../limits.ts";
import type { ChildMessage, JobMedia, JobResult, MediaRole, Task } from "./spec.ts";

/** A media input with its role in the job. */
export interface AssignedMedia {
  media: ResolvedMedia;
  role: MediaRole;
}

const program = path.join(import.meta.dirname, "..", "child", "main.ts");

/** One run of a media process. */
export interface ChildRun {
  folder: string;
  timeoutMs: number;
  signal: AbortSignal;
  log: Logger;
  progress?: (percent: number) => void;
}

/**
 * Runs a folder's job in its own process, with a minimal environment and a deadline; on Linux its processor
 * time, memory, file sizes and open files are limited too (util-linux's prlimit). An input that crashes or
 * exhausts a decoder therefore crashes that process and not the gateway. This is not a security sandbox: the
 * process runs as the gateway's user and may read and write whatever that user may. Throws SandboxFailure,
 * StoreFullError.
 */
export async function runChild(run: ChildRun): Promise<JobResult> {
  run.signal.throwIfAborted();
  const [command, args] = commandLine(run);
  const child = spawn(command, args, {
    cwd: run.folder,
    env: bareEnvironment({ TMPDIR: run.folder }),
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    detached: process.platform !== "win32",
    windowsHide: true,
  });
  let failure: SandboxFailure | null = null;
  let timedOut = false;
  let log = "";
  const stop = () => killTree(child.pid);
  const timer = setTimeout(() => {
    timedOut = true;
    stop();
  }, run.timeoutMs);
  run.signal.addEventListener("abort", stop, { once: true });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    log = (log + text).slice(-childLogBytes);
  });
  child.on("message", (message: ChildMessage) => {
    if (message.type === "progress") run.progress?.(message.percent);
    if (message.type === "failed")
      failure = new SandboxFailure(codeOf(message.code), message.message, message.param);
  });
  const ending = await new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code, signal) => resolve(signal ?? `exit code ${code}`));
  }).finally(() => {
    clearTimeout(timer);
    run.signal.removeEventListener("abort", stop);
    stop();
  });
  run.signal.throwIfAborted();
  const result = await readResult(run.folder);
  if (result) return result;
  if (timedOut)
    throw new SandboxFailure(
      "upstream_timeout",
      `The sandbox did not finish within ${run.timeoutMs / 1000} s.`,
    );
  const said = new Error(log);
  if (isDiskFull(said)) throw orStoreFull(said);
  if (failure) {
    if (log) run.log.warn({ folder: path.basename(run.folder), log }, "sandbox job failed");
    throw failure;
  }
  run.log.error({ folder: path.basename(run.folder), ending, log }, "sandbox process ended without a result");
  throw new SandboxFailure("upstream_error", "The sandbox's media process ended before it finished.");
}

/** The result of an attempt; null if it did not finish. */
export async function readResult(folder: string): Promise<JobResult | null> {
  try {
    return JSON.parse(await readFile(path.join(folder, "result.json"), "utf8"));
  } catch {
    return null;
  }
}

function commandLine(run: ChildRun): [string, string[]] {
  const node = [
    `--max-old-space-size=${childHeapMegabytes}`,
    "--disable-warning=ExperimentalWarning",
    program,
    run.folder,
  ];
  return limitedCommand(process.execPath, node, {
    dataBytes: childDataBytes,
    fileBytes: childFileBytes,
    openFiles: childOpenFiles,
    cpuSeconds: Math.ceil((run.timeoutMs / 1000) * 4),
  });
}

function codeOf(code: string): ErrorCode {
  return code in errorCatalogue ? (code as ErrorCode) : "upstream_error";
}

/**
 * Creates the folder of one attempt, with the spec and the inputs. Inputs are linked, so that they remain
 * when the request's own files are deleted.
 */
export async function prepareFolder(
  folder: string,
  job: { task: Task; media: AssignedMedia[]; ffmpeg: FfmpegBackend },
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const media: JobMedia[] = [];
  for (const [index, { media: input, role }] of job.media.entries()) {
    const name = `in-${index}`;
    await link(input.file, path.join(folder, name)).catch(() =>
      copyFile(input.file, path.join(folder, name)),
    );
    media.push({ path: input.path, kind: input.kind, role, name });
  }
  await writeFile(
    path.join(folder, "job.json"),
    JSON.stringify({ task: job.task, media, ffmpeg: job.ffmpeg }),
    { mode: 0o600 },
  );
}

/** Keeps the outputs and the result of a finished attempt, removes everything else. */
export async function tidyFolder(folder: string, result: JobResult): Promise<void> {
  const keep = new Set(["result.json", ...result.outputs.map((output) => output.name)]);
  for (const name of await readdir(folder))
    if (!keep.has(name)) await rm(path.join(folder, name), { force: true });
}
