import { expect, test } from "vitest";
import { backoffMs } from "./attempt-result.ts";

const settings = { backoffBaseMs: 10_000, backoffFactor: 4 };
const middle = () => 0.5;

test("seven delays make 15 h 10 min, inside the 24 h retention", () => {
  const delays = [1, 2, 3, 4, 5, 6, 7].map((attempt) => backoffMs(attempt, settings, null, middle));
  expect(delays.slice(0, 3)).toEqual([10_000, 40_000, 160_000]);
  expect(delays.reduce((sum, delay) => sum + delay)).toBe(54_610_000);
});

test("jitter stays within a fifth", () => {
  expect(backoffMs(1, settings, null, () => 0)).toBe(8000);
  expect(backoffMs(1, settings, null, () => 1)).toBe(12_000);
});

test("Retry-After extends a delay up to an hour, and never shortens it", () => {
  expect(backoffMs(1, settings, 15_000, middle)).toBe(15_000);
  expect(backoffMs(1, settings, 3_600_000, middle)).toBe(3_600_000);
  expect(backoffMs(1, settings, 86_400_000, middle)).toBe(3_600_000);
  expect(backoffMs(6, settings, 86_400_000, middle)).toBe(10_240_000);
  expect(backoffMs(1, settings, 1, middle)).toBe(10_000);
});
