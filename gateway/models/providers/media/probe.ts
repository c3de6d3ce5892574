import { Worker } from "node:worker_threads";
import type { MediaFamily } from "#gateway/files/storage/sniff.ts";
import { pictureSize } from "./picture-size.ts";

/** Time and memory limits for measuring a clip: an upstream's file may be large, or crafted to be slow. */
const clipTimeoutMs = 20_000;
const clipHeapMegabytes = 256;

export interface Measured {
  width?: number;
  height?: number;
  /** Seconds. */
  duration?: number;
}

/** Size and length of a media file, read from its bytes; empty if that fails within the limits of time and memory. */
export async function measureFile(
  file: string,
  family: MediaFamily,
  timeoutMs = clipTimeoutMs,
): Promise<Measured> {
  try {
    return family === "image" ? ((await pictureSize(file)) ?? {}) : await measureClip(file, timeoutMs);
  } catch {
    return {};
  }
}

/** In its own thread, so that a malicious file cannot block the gateway. */
async function measureClip(file: string, timeoutMs: number): Promise<Measured> {
  const worker = new Worker(new URL("./measure-clip.ts", import.meta.url), {
    workerData: file,
    resourceLimits: { maxOldGenerationSizeMb: clipHeapMegabytes },
    env: {},
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  const { promise, resolve, reject } = Promise.withResolvers<Measured>();
  const timer = setTimeout(() => reject(new Error("The clip was not measured in time")), timeoutMs);
  worker.once("message", resolve).once("error", reject);
  worker.once("exit", () => reject(new Error("The clip could not be measured")));
  return promise.finally(() => {
    clearTimeout(timer);
    return worker.terminate();
  });
}
