import { expect, it } from "vitest";
import { seededRandom } from "#gateway/testing/random.ts";
import { addPairs, addTime, pairsOf, percentiles, relativeError, type Times } from "./times.ts";

const shares = [0.01, 0.5, 0.9, 0.95, 0.99, 1];

it("percentiles are right within the stated error for any measurements", () => {
  const random = seededRandom("times");
  for (let round = 0; round < 200; round += 1) {
    const count = 1 + Math.floor(random() * 2_000);
    const spread = 1 + random() * 14;
    // From a millisecond to weeks.
    const measured = Array.from({ length: count }, () => Math.exp(random() * spread));
    const times: Times = new Map();
    for (const ms of measured) addTime(times, "answer", ms);
    const sorted = measured.toSorted((a, b) => a - b);
    for (const [index, found] of percentiles(times, "answer", shares).entries()) {
      const exact = sorted[Math.max(0, Math.ceil((shares[index] ?? 0) * count) - 1)] ?? 0;
      expect(Math.abs((found ?? 0) - exact) / exact).toBeLessThanOrEqual(relativeError + 1e-9);
    }
  }
});

it("parts merged in any order give exactly the same result as the whole", () => {
  const random = seededRandom("merging times");
  const whole: Times = new Map();
  const parts: Times[] = Array.from({ length: 9 }, () => new Map());
  for (let count = 0; count < 5_000; count += 1) {
    const of = random() < 0.5 ? "answer" : "first";
    const ms = random() * 60_000;
    addTime(whole, of, ms);
    addTime(parts[Math.floor(random() * parts.length)] as Times, of, ms);
  }
  const merged: Times = new Map();
  for (const part of parts.toSorted(() => random() - 0.5)) addPairs(merged, pairsOf(part));
  const sorted = (times: Times) => [...times].sort(([a], [b]) => a - b);
  expect(sorted(merged)).toEqual(sorted(whole));
  for (const of of ["answer", "first"] as const)
    expect(percentiles(merged, of, shares)).toEqual(percentiles(whole, of, shares));
});

it("accepts extreme measurements: zero, negative and infinite times", () => {
  expect(percentiles(new Map(), "queue", [0.5])).toEqual([null]);
  const times: Times = new Map();
  for (const ms of [-5, Number.NaN, 0, 0.3]) addTime(times, "queue", ms);
  expect(percentiles(times, "queue", [1])).toEqual([1]);
  expect(percentiles(times, "answer", [1])).toEqual([null]);
  addTime(times, "queue", Number.POSITIVE_INFINITY);
  expect(percentiles(times, "answer", [1])).toEqual([null]);
  expect(percentiles(times, "queue", [1])[0]).toBeGreaterThan(1e10);
});
