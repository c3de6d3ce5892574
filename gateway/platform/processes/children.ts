import cluster, { type Worker } from "node:cluster";
import os from "node:os";
import type { Logger } from "pino";
import { type RetrySchedule, retryWaitMs } from "#gateway/platform/core/retry-schedule.ts";
import { MetricsSum } from "./metrics-sum.ts";
import type { FromChild, Started, ToChild } from "./supervised.ts";

/** The wait before an ended process is restarted: doubles while it ends soon after its start. */
const startAgain: RetrySchedule = { firstMs: 100, factor: 2, maxMs: 10_000 };
const soonMs = 30_000;
/** How often a slow start logs what it waits for. */
const progressEveryMs = 10_000;
/** For a process that does not send its metrics within this time, the previous ones are used. */
const metricsTimeoutMs = 1_000;

interface Options {
  count: number;
  log: Logger;
  /** Additional settings for the process with this number, from 0. */
  environment(place: number): Record<string, string>;
  /** Called when a process that held leases under this name has ended. */
  ended(instance: string): Promise<void>;
  /** A process that has not stopped after this time is killed. */
  stopWithinMs: number;
}

/** The processes that share a port. */
export class Children {
  private readonly options: Options;
  private readonly running = new Map<Worker, { over: Promise<void> }>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly metrics = new MetricsSum<Worker>();
  private reading: Promise<void> | null = null;
  /** How many are ready. */
  private ready = 0;
  private isStarted = false;
  private isStopping = false;

  constructor(options: Options) {
    this.options = options;
  }

  /**
   * Resolves when all are ready; from then on an ended process is restarted. Rejects if one ends earlier: the
   * first starts alone, so that a problem is reported only once. The worker, number 0, starts last: work left
   * by a killed one would take processor time from those that are still starting.
   */
  async start(): Promise<Started> {
    const { count, log } = this.options;
    const startedAt = performance.now();
    const progressTimer = setInterval(() => {
      const seconds = Math.round((performance.now() - startedAt) / 1_000);
      const [load = 0] = os.loadavg();
      log.warn({ ready: this.ready, of: count, seconds, load }, "waiting for processes to start");
    }, progressEveryMs);
    try {
      const first = await this.fork(1, 0);
      await Promise.all(Array.from({ length: count - 2 }, (_, index) => this.fork(index + 2, 0)));
      const worker = await this.fork(0, 0);
      this.isStarted = true;
      return { ...first, ...worker };
    } finally {
      clearInterval(progressTimer);
    }
  }

  /** Asks all of them to stop, waits, and kills the rest. */
  async stop(): Promise<void> {
    this.isStopping = true;
    for (const timer of this.timers) clearTimeout(timer);
    for (const child of this.running.keys()) child.process.kill("SIGTERM");
    const killing = setTimeout(() => {
      for (const child of this.running.keys()) child.process.kill("SIGKILL");
    }, this.options.stopWithinMs);
    await Promise.all([...this.running.values()].map(({ over }) => over));
    clearTimeout(killing);
  }

  /** Resolves when the process is ready; rejects if it ends before. */
  private fork(place: number, failures: number): Promise<Started> {
    const { log, environment, ended } = this.options;
    const ready = Promise.withResolvers<Started>();
    const over = Promise.withResolvers<void>();
    const child = cluster.fork(environment(place));
    this.running.set(child, { over: over.promise });
    let instance: string | null = null;
    let readyAt = Number.POSITIVE_INFINITY;
    const hear = (message: FromChild): void => {
      if (message.kind === "hello") instance = message.instance;
      if (message.kind === "metrics") this.metrics.set(child, message.metrics);
      if (message.kind === "sum the metrics") void this.sendSum(child);
      if (message.kind !== "ready") return;
      readyAt = performance.now();
      this.ready += 1;
      ready.resolve(message.started);
    };
    const leave = (how: string): void => {
      if (!this.running.delete(child)) return;
      over.resolve();
      this.metrics.end(child);
      ready.reject(
        new Error(`one of its processes ended ${how} before it was ready; its log lines above say why`),
      );
      if (this.isStopping) return;
      log.error({ process: child.process.pid, place }, `a process ended ${how}`);
      if (instance !== null)
        ended(instance).catch((error: unknown) =>
          log.warn({ err: error }, "what an ended process held could not be freed before its leases ended"),
        );
      if (!this.isStarted && readyAt === Number.POSITIVE_INFINITY) return;
      this.forkAgain(place, performance.now() - readyAt >= soonMs ? 0 : failures);
    };
    child.on("message", hear);
    child.on("exit", (code, signal) => leave(signal ? `by ${signal}` : `with exit code ${code}`));
    child.on("error", (error) => {
      log.warn({ err: error, place }, "a process could not be reached");
      if (child.process.pid === undefined) leave(`at once: ${error.message}`);
    });
    return ready.promise;
  }

  private forkAgain(place: number, failures: number): void {
    const waitMs = retryWaitMs(startAgain, failures + 1);
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      // A process that ends before it is ready is restarted by its own exit handler.
      this.fork(place, failures + 1).then(
        () => this.options.log.info({ place }, "the process is back"),
        () => {},
      );
    }, waitMs);
    this.timers.add(timer);
  }

  private async sendSum(asker: Worker): Promise<void> {
    this.reading ??= this.readMetrics().finally(() => {
      this.reading = null;
    });
    await this.reading;
    send(asker, { kind: "sum of metrics", text: await this.metrics.text() });
  }

  private async readMetrics(): Promise<void> {
    const answers = [...this.running.keys()].map((child) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const answered = (message: FromChild) => message.kind === "metrics" && resolve();
      const timer = setTimeout(resolve, metricsTimeoutMs);
      child.on("message", answered).once("exit", resolve);
      send(child, { kind: "read your metrics" });
      return promise.finally(() => {
        clearTimeout(timer);
        child.off("message", answered).off("exit", resolve);
      });
    });
    await Promise.all(answers);
  }
}

function send(child: Worker, message: ToChild): void {
  if (child.isConnected()) child.send(message, () => {}); // The process is just ending and gets no message.
}
