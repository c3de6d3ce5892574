import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { expect, it } from "vitest";
import { MetricsSum } from "./metrics-sum.ts";

function processThat(answered: number, lateSeconds: number) {
  const registry = new Registry();
  const registers = [registry];
  new Counter({ name: "answered_total", help: "-", registers }).inc(answered);
  new Gauge({ name: "open", help: "-", registers }).set(answered);
  new Gauge({ name: "nodejs_eventloop_lag_p99_seconds", help: "-", registers }).set(lateSeconds);
  const seconds = new Histogram({ name: "seconds", help: "-", buckets: [1], registers });
  for (let at = 0; at < answered; at += 1) seconds.observe(0.5);
  return registry.getMetricsAsJSON();
}

it("adds up the counters of all processes, reports their latest gauges, and keeps the counts of ended ones", async () => {
  const sum = new MetricsSum<string>();
  sum.set("first", await processThat(3, 0.1));
  sum.set("second", await processThat(4, 0.7));
  const both = await sum.text();
  expect(both).toContain("\nanswered_total 7\n");
  expect(both).toContain("\nopen 7\n");
  expect(both).toContain('\nseconds_bucket{le="1"} 7\n');
  expect(both).toContain("\nnodejs_eventloop_lag_p99_seconds 0.7\n");

  sum.end("second");
  sum.end("second");
  sum.set("third", await processThat(1, 0));
  sum.end("third");
  for (const text of [await sum.text(), await sum.text()]) {
    expect(text).toContain("\nanswered_total 8\n");
    expect(text).toContain("\nseconds_count 8\n");
    expect(text).toContain("\nopen 3\n");
  }
});
