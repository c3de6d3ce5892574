import type { Registry } from "prom-client";

/** The metrics of one process, as they can be sent. */
export type Metrics = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>;

/** What a process says of itself once it is ready. */
export interface Started {
  /** Of the API. */
  port: number | null;
  /** Of a worker's health and metrics. */
  metricsPort: number | null;
  /** The link for the first account, while there is none. */
  setUp: string | null;
}

/** What a process tells its supervisor. */
export type FromChild =
  /** Its first message: the name under which it will hold leases. */
  | { kind: "hello"; instance: string }
  | { kind: "ready"; started: Started }
  | { kind: "metrics"; metrics: Metrics }
  | { kind: "sum the metrics" };

/** What the supervisor tells a process. */
export type ToChild = { kind: "read your metrics" } | { kind: "sum of metrics"; text: string };
