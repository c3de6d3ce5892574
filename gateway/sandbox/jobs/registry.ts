import { performance } from "node:perf_hooks";
import type { ProviderStatus } from "#gateway/models/providers/provider.ts";
import type { Usage } from "#gateway/platform/core/usage.ts";
import { minimumVisibleMs } from "../limits.ts";
import { toProviderError } from "../provider-error.ts";
import type { JobRunner, SandboxJob } from "./runner.ts";

interface Entry {
  state: "queued" | "running" | "done" | "failed" | "canceled";
  progress: number;
  error: unknown;
  abort: AbortController;
  startedAt: number;
}

const pollAfterMs = 700;

/** The async jobs of this process. A job that is unknown because of a restart is started again. */
export class JobRegistry {
  readonly #runner: JobRunner;
  readonly #entries = new Map<string, Entry>();

  constructor(runner: JobRunner) {
    this.#runner = runner;
  }

  /** Starts a job unless this process already runs it; once this resolves, its inputs may be deleted. */
  async begin(job: Omit<SandboxJob, "signal">): Promise<void> {
    if (this.#entries.has(job.id)) return;
    const entry: Entry = {
      state: "queued",
      progress: 0,
      error: null,
      abort: new AbortController(),
      startedAt: performance.now(),
    };
    this.#entries.set(job.id, entry);
    const order: SandboxJob = {
      ...job,
      signal: entry.abort.signal,
      started: () => {
        entry.state = "running";
      },
      progress: (percent) => {
        entry.progress = Math.max(entry.progress, Math.min(99, percent));
      },
    };
    try {
      const folder = await this.#runner.prepare(order);
      void this.#follow(entry, this.#runner.keep(order, folder));
    } catch (error) {
      this.#entries.delete(job.id);
      throw error;
    }
  }

  async #follow(entry: Entry, work: Promise<void>): Promise<void> {
    try {
      await work;
      if (entry.state !== "canceled") entry.state = "done";
    } catch (error) {
      if (entry.state === "canceled") return;
      entry.state = "failed";
      entry.error = error;
    }
  }

  knows(id: string): boolean {
    return this.#entries.has(id);
  }

  /** The state of a job of this process; a quick job is shown as running for a moment too. */
  async status(id: string, usage: (seconds: number | undefined) => Usage): Promise<ProviderStatus> {
    const entry = this.#entries.get(id);
    if (!entry) return { state: "queued", pollAfterMs };
    if (entry.state === "canceled") return { state: "canceled" };
    if (entry.state === "failed") return { state: "failed", error: toProviderError(entry.error) };
    const waitMs = entry.startedAt + minimumVisibleMs - performance.now();
    if (entry.state !== "done" || waitMs > 0) {
      const state = entry.state === "done" ? "running" : entry.state;
      const nextMs = entry.state === "done" ? Math.max(50, Math.ceil(waitMs)) : pollAfterMs;
      return { state, progress: entry.progress, pollAfterMs: nextMs };
    }
    const outputs = await this.#runner.finished(id);
    if (!outputs) {
      this.#entries.delete(id);
      return { state: "queued", pollAfterMs };
    }
    return { state: "succeeded", outputs, usage: usage(outputs[0]?.duration) };
  }

  cancel(id: string): boolean {
    const entry = this.#entries.get(id);
    if (!entry || entry.state === "done" || entry.state === "failed") return false;
    entry.state = "canceled";
    entry.abort.abort(new Error("canceled"));
    return true;
  }

  async forget(id: string): Promise<void> {
    this.cancel(id);
    this.#entries.delete(id);
    await this.#runner.forget(id);
  }

  /** Stops all jobs without canceling them: another process, or this one after a restart, starts them again. */
  close(): void {
    const entries = [...this.#entries.values()];
    this.#entries.clear();
    for (const entry of entries) entry.abort.abort(new Error("closing"));
  }
}
