import cluster from "node:cluster";
import type { Registry } from "prom-client";
import type { FromChild, ToChild } from "./messages.ts";

const sumTimeoutMs = 3_000;

/** Whether this process is one of several on the same port (GATEWAY_PROCESSES). It ends when its supervisor does. */
export const isSupervised = cluster.isWorker;

export function tellSupervisor(message: FromChild): void {
  process.send?.(message);
}

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
