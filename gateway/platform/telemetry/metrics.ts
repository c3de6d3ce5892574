import { metrics } from "@opentelemetry/api";
import { type Count, counters } from "#gateway/platform/core/counters.ts";
import type { About, Counted } from "./otlp/metrics.ts";
import type { Facts } from "./telemetry.ts";

/** The buckets of the GenAI conventions, extended to the length of a video. */
const callBuckets = [
  0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92, 163.84, 327.68,
  655.36, 1310.72,
];
const tokenBuckets = [
  1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864,
];
const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 60];

export interface Figures {
  request(seconds: number, labels: Facts): void;
  call(seconds: number, labels: Facts): void;
  firstChunk(seconds: number, labels: Facts): void;
  tokens(count: number, labels: Facts): void;
}

/** Creates metrics, by OpenTelemetry's SDK or the lighter code here. */
export interface Instruments {
  histogram(about: About, bounds: number[]): { record(value: number, labels: Facts): void };
  count(counted: Counted): void;
}

/** The metrics: times and tokens under the conventions' names, and the counters of `/metrics`. */
export function createFigures(instruments: Instruments): Figures {
  const times = (name: string, description: string, bounds: number[]) =>
    instruments.histogram({ name, description, unit: "s" }, bounds);
  const requests = times("http.server.request.duration", "Requests by route and status", requestBuckets);
  const calls = times("gen_ai.client.operation.duration", "Tries at upstreams, and jobs", callBuckets);
  const chunks = times(
    "gen_ai.client.operation.time_to_first_chunk",
    "From the request to the first piece of a streamed answer",
    callBuckets,
  );
  const tokens = instruments.histogram(
    { name: "gen_ai.client.token.usage", description: "Tokens of chats and embeddings", unit: "{token}" },
    tokenBuckets,
  );
  for (const counter of Object.values(counters)) instruments.count(countedBy(counter));
  return {
    request: (seconds, labels) => requests.record(seconds, labels),
    call: (seconds, labels) => calls.record(seconds, labels),
    firstChunk: (seconds, labels) => chunks.record(seconds, labels),
    tokens: (count, labels) => tokens.record(count, labels),
  };
}

/** `gatehouse_upstream_tries_total` becomes `gatehouse.upstream_tries`. */
function countedBy(count: Count): Counted {
  const { name: counted, help: description } = count;
  const name = counted.replace(/^gatehouse_/, "gatehouse.").replace(/_total$/, "");
  return { about: { name, description, unit: "" }, read: async () => count.values() };
}

export function instrumentsOfSdk(): Instruments {
  const meter = metrics.getMeter("gatehouse");
  return {
    histogram: ({ name, description, unit }, explicitBucketBoundaries) =>
      meter.createHistogram(name, { description, unit, advice: { explicitBucketBoundaries } }),
    count: ({ about: { name, description }, read }) =>
      meter.createObservableCounter(name, { description }).addCallback(async (result) => {
        for (const { value, labels } of await read()) result.observe(value, { ...labels });
      }),
  };
}
