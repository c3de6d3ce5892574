import { expect, test } from "vitest";
import { readRetryAfter, retryWaitMs } from "./retry-schedule.ts";

test("waits grow by the factor, up to the longest", () => {
  const schedule = { firstMs: 100, factor: 2, maxMs: 500 };
  expect([1, 2, 3, 4, 50].map((failures) => retryWaitMs(schedule, failures))).toEqual([
    100, 200, 400, 500, 500,
  ]);
});

test("jitter makes a wait shorter or longer within its range", () => {
  const schedule = { firstMs: 100, factor: 2, maxMs: 150, jitter: { min: 0.5, max: 1.5 } };
  expect([0, 0.5, 1].map((random) => retryWaitMs(schedule, 2, () => random))).toEqual([75, 150, 225]);
});

test("Retry-After is seconds or a date", () => {
  expect(readRetryAfter("120")).toBe(120_000);
  expect(readRetryAfter("0.5")).toBe(500);
  const now = Date.parse("2026-11-20T10:00:00Z");
  expect(readRetryAfter("Fri, 20 Nov 2026 10:00:30 GMT", now)).toBe(30_000);
  expect(readRetryAfter("Fri, 20 Nov 2026 09:00:00 GMT", now)).toBe(0);
  expect(readRetryAfter("soon")).toBeNull();
  expect(readRetryAfter(undefined)).toBeNull();
});
