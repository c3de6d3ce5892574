import { type Transferable, Worker } from "node:worker_threads";
import { Turns } from "#gateway/platform/core/together.ts";

/** The library takes half a second to load and forty megabytes, so its thread stays for a while, and not for ever. */
const idleMs = 60_000;
const heapMegabytes = 256;

/** Why there is no answer: too many wait, the file was gone when it was its turn, it took too long, or the thread died of it. */
export type NoAnswer = "busy" | "gone" | "timeout" | "failed";

interface Job<Asked> {
  message: Asked;
  /** Memory that the thread gets instead of a copy. */
  transfer: readonly Transferable[];
}

/**
 * A thread that answers each message with one, for a library that reads a stranger's bytes: one at a time in this process,
 * within bounds of time and heap, without this process's environment. It is started for the first job.
 */
export class LibraryThread<Asked, Answer extends object> {
  readonly #script: URL;
  readonly #maxWaiting: number;
  readonly #turns = new Turns();
  #waiting = 0;
  #thread: Worker | null = null;
  #idle: NodeJS.Timeout | undefined;

  constructor(script: URL, maxWaiting: number) {
    this.#script = script;
    this.#maxWaiting = maxWaiting;
  }

  /** `open` is called when it is its turn, so that what waits is not in memory yet; it gives null when there is nothing to do any more. */
  async ask(open: () => Promise<Job<Asked> | null>, timeoutMs: number): Promise<Answer | NoAnswer> {
    if (this.#waiting >= this.#maxWaiting) return "busy";
    this.#waiting += 1;
    return this.#turns
      .take("", () => this.#askNow(open, timeoutMs))
      .finally(() => {
        this.#waiting -= 1;
      });
  }

  async #askNow(open: () => Promise<Job<Asked> | null>, timeoutMs: number): Promise<Answer | NoAnswer> {
    const job = await open();
    if (job === null) return "gone";
    clearTimeout(this.#idle);
    const worker = this.#thread ?? this.#start();
    const { promise, resolve } = Promise.withResolvers<Answer | NoAnswer>();
    const fail = () => resolve("failed");
    const timer = setTimeout(() => {
      this.#end(worker);
      resolve("timeout");
    }, timeoutMs);
    worker.once("message", resolve).once("exit", fail);
    worker.postMessage(job.message, job.transfer);
    return promise.finally(() => {
      clearTimeout(timer);
      worker.off("message", resolve).off("exit", fail);
      this.#idle = setTimeout(() => this.#end(worker), idleMs).unref();
    });
  }

  #start(): Worker {
    const started = new Worker(this.#script, {
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
      env: {},
      execArgv: ["--disable-warning=ExperimentalWarning"],
    });
    this.#thread = started;
    started.unref();
    // An error ends it; that it ended is what counts.
    started.on("error", () => {});
    started.on("exit", () => this.#end(started));
    return started;
  }

  /** At once for the next job, which starts another thread. */
  #end(worker: Worker): void {
    if (this.#thread === worker) this.#thread = null;
    void worker.terminate();
  }
}

/** A copy to hand over: a buffer of Node's pool of small ones shares its memory with others. */
export function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}
