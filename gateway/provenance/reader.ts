import { Worker } from "node:worker_threads";
import { readableBytes } from "#contract/output-constants.ts";
import type { Manifest } from "#contract/outputs.ts";
import { Turns } from "#gateway/core/turns.ts";

/** Bounds for files that may be crafted to be slow. A hundred megabytes take about two seconds. */
const readTimeoutMs = 20_000;
const heapMegabytes = 256;
/** The library takes half a second to load and forty megabytes, so its thread stays for a while, and not for ever. */
const idleMs = 60_000;
/** How many may wait for their turn. */
const mostWaiting = 64;

export interface Readable {
  contentType: string;
  sizeBytes: number;
  /** Called when it is its turn; null when the file was removed meanwhile. */
  bytes(): Promise<Buffer | null>;
}

export const notRead: Manifest = unknown("not_read");

const turns = new Turns();
let waiting = 0;
let thread: Worker | null = null;
let idle: NodeJS.Timeout | undefined;

/**
 * Reads the Content Credentials of a file, one file at a time in this process, within bounds of size and time; nothing that
 * the file names is fetched. Never throws for what is in the file.
 */
export async function readManifest(file: Readable, timeoutMs = readTimeoutMs): Promise<Manifest> {
  if (file.sizeBytes > readableBytes) return unknown("too_large");
  if (waiting >= mostWaiting) return notRead;
  waiting += 1;
  return turns
    .take("", () => readNow(file, timeoutMs))
    .finally(() => {
      waiting -= 1;
    });
}

async function readNow({ bytes: open, contentType }: Readable, timeoutMs: number): Promise<Manifest> {
  const bytes = await open();
  if (bytes === null) return notRead;
  clearTimeout(idle);
  const worker = thread ?? startThread();
  const { promise, resolve } = Promise.withResolvers<Manifest>();
  const fail = () => resolve(unknown("failed"));
  const timer = setTimeout(() => {
    end(worker);
    resolve(unknown("timeout"));
  }, timeoutMs);
  worker.once("message", resolve).once("exit", fail);
  // Not of Node's pool of small buffers, of which others have parts.
  const own = new Uint8Array(bytes);
  worker.postMessage({ bytes: own, contentType }, [own.buffer]);
  return promise.finally(() => {
    clearTimeout(timer);
    worker.off("message", resolve).off("exit", fail);
    idle = setTimeout(() => end(worker), idleMs).unref();
  });
}

function startThread(): Worker {
  const started = new Worker(new URL("./reader-thread.ts", import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
    env: {},
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  thread = started;
  started.unref();
  // An error ends it; that it ended is what counts.
  started.on("error", () => {});
  started.on("exit", () => end(started));
  return started;
}

/** At once for the next file, which starts another thread. */
function end(worker: Worker): void {
  if (thread === worker) thread = null;
  void worker.terminate();
}

function unknown(reason: NonNullable<Manifest["reason"]>): Manifest {
  return { state: "unknown", issuer: null, claims: null, reason };
}
