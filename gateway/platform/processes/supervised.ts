import cluster from "node:cluster";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Registry } from "prom-client";

const sumTimeoutMs = 3_000;

/** Whether this process is one of several on the same port (GATEWAY_PROCESSES). It ends when its supervisor does. */
export const isSupervised = cluster.isWorker;

/** The metrics of one process, in a form that can be sent. */
export type Metrics = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>;

/** The report of a process that is ready. */
export interface Started {
  /** The port of the API. */
  port: number | null;
  /** The port of a worker's health and metrics. */
  metricsPort: number | null;
  /** The link to create the first account, while the installation has none. */
  setUp: string | null;
}

/** Messages from a process to its supervisor. */
export type FromChild =
  /** The first message: the name under which it will hold leases. */
  | { kind: "hello"; instance: string }
  | { kind: "ready"; started: Started }
  | { kind: "metrics"; metrics: Metrics }
  | { kind: "sum the metrics" };

export function tellSupervisor(message: FromChild): void {
  process.send?.(message);
}

/** Messages from the supervisor to a process. */
export type ToChild = { kind: "read your metrics" } | { kind: "sum of metrics"; text: string };

/**
 * Lets the supervisor read these metrics; the returned function reads the sum over all processes, as text.
 */
export function shareMetrics(registry: Registry): () => Promise<string> {
  let asked: PromiseWithResolvers<string> | null = null;
  process.on("message", async (message: ToChild) => {
    if (message.kind === "sum of metrics") asked?.resolve(message.text);
    else tellSupervisor({ kind: "metrics", metrics: await registry.getMetricsAsJSON() });
  });
  return async () => {
    if (asked) return asked.promise;
    asked = Promise.withResolvers<string>();
    const { promise, reject } = asked;
    const timer = setTimeout(() => reject(new Error("the supervisor did not answer")), sumTimeoutMs);
    tellSupervisor({ kind: "sum the metrics" });
    return promise.finally(() => {
      clearTimeout(timer);
      asked = null;
    });
  };
}

/**
 * Options of `listen` for a port that several processes share. The kernel distributes the connections. If it
 * cannot, the supervisor does; a connection then hangs if the process that should get it is killed at that
 * moment.
 */
export const sharedPort = isSupervised && process.platform === "linux" ? { reusePort: true } : {};

/**
 * How long to wait for the port: if a supervisor was killed, its processes end by themselves, but under load
 * only after a while.
 */
const takenMs = 5_000;

const lookEveryMs = 100;

/**
 * The port number, once it is free; otherwise another program might share it by mistake. Replaces 0 by a free
 * port.
 */
export async function findPort(port: number, host: string, log: Logger): Promise<number> {
  const giveUpAt = performance.now() + takenMs;
  for (let look = 0; ; look += 1) {
    try {
      return await takePort(port, host);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE" || performance.now() > giveUpAt) throw error;
      if (look === 0) log.warn(`port ${port} is taken; waiting, in case a killed gateway is still ending`);
      await sleep(lookEveryMs);
    }
  }
}

async function takePort(port: number, host: string): Promise<number> {
  const server = createServer().listen(port, host);
  await once(server, "listening");
  const found = (server.address() as AddressInfo).port;
  server.close();
  await once(server, "close");
  return found;
}
