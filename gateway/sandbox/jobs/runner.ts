import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import type { Logger } from "pino";
import { ulid } from "ulid";
import { type DetectedFfmpeg, detectFfmpeg } from "#gateway/files/ffmpeg/detect.ts";
import {
  callerWaitsMs,
  orStoreFull,
  type StoreFullError,
  untilRoom,
} from "#gateway/files/storage/store-room.ts";
import type { ProviderOutput } from "#gateway/models/providers/provider.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { lightConcurrency, lightTimeoutMs, videoConcurrency } from "../limits.ts";
import { FairQueue } from "./queue.ts";
import { type AssignedMedia, prepareFolder, readResult, runChild, tidyFolder } from "./run-child.ts";
import type { JobResult, Task } from "./spec.ts";

/** A job that the provider submits. */
export interface SandboxJob {
  id: string;
  accountId: string;
  task: Task;
  media: AssignedMedia[];
  signal: AbortSignal;
  log: Logger;
  progress?: (percent: number) => void;
  started?: () => void;
}

/** Runs media processes: one queue for videos, one for all quick jobs. */
export class JobRunner {
  readonly #root: string;
  readonly #ffmpegPath: string | null;
  readonly #videoTimeoutMs: number;
  readonly #log: Logger;
  readonly #full: (error: StoreFullError) => void;
  readonly #videos = new FairQueue(videoConcurrency);
  readonly #light = new FairQueue(lightConcurrency);
  #ffmpeg: Promise<DetectedFfmpeg> | null = null;

  constructor(options: {
    root: string;
    ffmpegPath: string | null;
    videoTimeoutMs: number;
    log: Logger;
    /** Called while the disk has no room for a job. */
    full: (error: StoreFullError) => void;
  }) {
    this.#full = options.full;
    this.#root = options.root;
    this.#ffmpegPath = options.ffmpegPath;
    this.#videoTimeoutMs = options.videoTimeoutMs;
    this.#log = options.log;
  }

  /**
   * Runs a job and returns its outputs in memory; nothing stays on disk. Throws SandboxFailure, and
   * StoreFullError if the disk stays full for as long as a caller waits.
   */
  async make(order: SandboxJob): Promise<{ result: JobResult; files: Buffer[] }> {
    try {
      return await this.#untilRoom(order, clock.now() + callerWaitsMs, async () => {
        const folder = await this.prepare(order);
        const result = await this.#run(order, folder);
        const files = await Promise.all(
          result.outputs.map((output) => readFile(path.join(folder, output.name))),
        );
        return { result, files };
      });
    } finally {
      await this.forget(order.id);
    }
  }

  /**
   * Creates the folder of a job and returns it; after this the inputs may be deleted. Throws StoreFullError.
   */
  async prepare(order: SandboxJob): Promise<string> {
    if (!/^[a-z0-9_-]+$/i.test(order.id)) throw new Error("A job id is letters, digits, - and _");
    // A new folder for each attempt: after a crash an orphaned process may still write into the previous one.
    const folder = path.join(this.#root, order.id, ulid().toLowerCase());
    const { backend } = await this.#detect();
    try {
      await mkdir(this.#root, { recursive: true, mode: 0o700 });
      await prepareFolder(folder, { task: order.task, media: order.media, ffmpeg: backend });
    } catch (error) {
      throw orStoreFull(error);
    }
    return folder;
  }

  /**
   * Runs a prepared job and leaves its outputs in the folder until `forget`. While the disk is full it runs
   * again, until its order is aborted. Throws SandboxFailure.
   */
  async keep(order: SandboxJob, folder: string): Promise<void> {
    try {
      const result = await this.#untilRoom(order, Number.POSITIVE_INFINITY, () => this.#run(order, folder));
      await tidyFolder(folder, result);
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** The outputs of this job if any process finished it; null otherwise. */
  async finished(id: string): Promise<ProviderOutput[] | null> {
    const folder = path.join(this.#root, id);
    for (const attempt of await readdir(folder).catch(() => [])) {
      const result = await readResult(path.join(folder, attempt));
      if (!result) continue;
      return result.outputs.map(({ name, ...output }) => ({
        ...output,
        file: path.join(folder, attempt, name),
      }));
    }
    return null;
  }

  async forget(id: string): Promise<void> {
    await rm(path.join(this.#root, id), { recursive: true, force: true });
  }

  #untilRoom<Result>({ signal }: SandboxJob, until: number, work: () => Promise<Result>): Promise<Result> {
    return untilRoom({ until, signal, full: this.#full }, work);
  }

  #run(order: SandboxJob, folder: string): Promise<JobResult> {
    const video = order.task.kind === "video";
    const queue = video ? this.#videos : this.#light;
    return queue.run(order.accountId, order.signal, () => {
      order.started?.();
      return runChild({
        folder,
        timeoutMs: video ? this.#videoTimeoutMs : lightTimeoutMs,
        signal: order.signal,
        log: order.log,
        ...(order.progress ? { progress: order.progress } : {}),
      });
    });
  }

  #detect(): Promise<DetectedFfmpeg> {
    this.#ffmpeg ??= detectFfmpeg(this.#ffmpegPath).then((detected) => {
      this.#log.info(detected, "sandbox media backends");
      return detected;
    });
    return this.#ffmpeg;
  }
}
