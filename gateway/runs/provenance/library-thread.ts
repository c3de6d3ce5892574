import { type Transferable, Worker } from "node:worker_threads";
import { Turns } from "#gateway/platform/core/together.ts";

/**
 * Loading the library takes half a second and forty megabytes, so its thread stays for a while, but not for
 * ever.
 */
const idleMs = 60_000;
const heapMegabytes = 256;

/**
 * Why there is no answer: too many jobs wait, the file was removed before its turn, it took too long, or the
 * thread crashed.
 */
export type NoAnswer = "busy" | "gone" | "timeout" | "failed";

interface Job<Asked> {
  message: Asked;
  /** Memory moved to the thread instead of copied. */
  transfer: readonly Transferable[];
}

/**
 * A thread that answers each message with one message, for a library that reads untrusted bytes: one job at a
 * time in this process, with limits of time and heap, and without this process's environment. It starts with
 * the first job.
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

  /**
   * Calls `open` when it is the job's turn, so that waiting jobs hold no memory; `open` returns null if the
   * job is no longer needed.
   */
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
    // An error also ends the thread, and only the exit matters.
    started.on("error", () => {});
    started.on("exit", () => this.#end(started));
    return started;
  }

  /** Ends the thread at once; the next job starts another. */
  #end(worker: Worker): void {
    if (this.#thread === worker) this.#thread = null;
    void worker.terminate();
  }
}

/** A copy that can be transferred: Node's small buffers share pooled memory with others. */
export function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}
