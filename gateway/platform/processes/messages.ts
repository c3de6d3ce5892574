import type { Registry } from "prom-client";

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

/** Messages from the supervisor to a process. */
export type ToChild = { kind: "read your metrics" } | { kind: "sum of metrics"; text: string };
